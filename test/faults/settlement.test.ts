import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKETS, FIXED_WINDOWS, LOG, SLIDING } from './algorithms.ts'
import { kind, rig, twinRig } from './rig.ts'
import { resetAfterMicros, STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

kind('settlement-dies-with-the-request', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: the report settles a reservation, whenever it comes and whoever is gone`, async () => {
      const { clock, limiter } = await rig(store, policy(1000, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 800 })
      expect((await limiter.peek('user')).remaining).toBe(200)
      await reservation.settle(100)
      expect((await limiter.peek('user')).remaining).toBe(900)
      clock.advance(3600)
      expect(await reservation.refund()).toBe(0)
    })

    it(`${name}: a report above what was reserved charges the difference, into debt if need be`, async () => {
      for (const [actual, remaining] of [
        [800, 200],
        [950, 50],
        [1000, 0],
        [1500, 0],
      ] as const) {
        const { limiter } = await rig(store, policy(1000, 60_000), START)
        const reservation = await limiter.reserve('user', { cost: 800 })
        await reservation.settle(actual)
        expect((await limiter.peek('user')).remaining, `settled at ${actual}`).toBe(remaining)
      }
    })

    it(`${name}: a second report changes nothing`, async () => {
      const { limiter } = await rig(store, policy(1000, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 800 })
      await Promise.all([
        reservation.settle(100),
        reservation.settle(0),
        reservation.settle(900),
        reservation.refund(),
      ])
      expect((await limiter.peek('user')).remaining).toBe(900)
    })

    it(`${name}: another process settles by the receipt alone`, async () => {
      const { left, right } = await twinRig(store, policy(1000, 60_000), START)
      const { receipt } = await left.reserve('user', { cost: 800 })
      const carried: { receipt: string } = JSON.parse(JSON.stringify({ receipt }))
      expect(await right.refund(carried.receipt, 700)).toBe(700)
      expect((await right.peek('user')).remaining).toBe(900)
    })

    it(`${name}: where no report comes the reservation stays charged, and ends as any charge does`, async () => {
      const { clock, limiter } = await rig(store, policy(1000, 60_000), START)
      const { decision } = await limiter.reserve('user', { cost: 800 })
      clock.advance(0.001)
      expect((await limiter.peek('user')).remaining).toBe(200)
      clock.set(decision.resetAtMs)
      const after = await limiter.peek('user')
      expect([after.remaining, resetAfterMicros(after)]).toEqual([1000, 0])
    })
  }

  for (const { name, policy } of [...FIXED_WINDOWS, SLIDING, LOG]) {
    it(`${name}: half a window later the report still counts in full`, async () => {
      const { clock, limiter } = await rig(store, policy(1000, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 800 })
      clock.advance(30_000)
      await reservation.settle(100)
      expect((await limiter.peek('user')).remaining).toBe(900)
    })
  }

  for (const { name, policy } of BUCKETS) {
    it(`${name}: half a window later only what has not refilled comes back`, async () => {
      const { clock, limiter } = await rig(store, policy(1000, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 800 })
      clock.advance(30_000)
      expect((await limiter.peek('user')).remaining).toBe(700)
      await reservation.settle(100)
      expect((await limiter.peek('user')).remaining).toBe(1000)
    })
  }
})
