import { Limiter, type Reservation, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKET, BUCKETS, FIXED, FIXED_WINDOWS, LOG, SLIDING, STRICT } from './algorithms.ts'
import { composedRig, kind, rig, sizeOf, twinRig } from './rig.ts'
import { follow, no, ok, STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

kind('refund-after-the-window', (store) => {
  // The counter carries the previous window along, and with it the right to give it back.
  const ends = new Map([
    [SLIDING.name, 2000],
    [STRICT.name, 2000],
    ['token bucket', 500],
    ['gcra', 500],
  ])

  for (const { name, policy } of ALGORITHMS) {
    const endMs = ends.get(name) ?? 1000

    it(`${name}: a refund that comes too late gives nothing, and makes no state`, async () => {
      for (const lateMs of [endMs, endMs + 1500, endMs + 86_400_000]) {
        const { clock, limiter, store: states } = await rig(store, policy(2, 1000), START)
        const reservation = await limiter.reserve('user')
        clock.advance(lateMs)
        expect(await reservation.refund(), `${lateMs} ms later`).toBe(0)
        expect(await limiter.refund(reservation.receipt ?? '')).toBe(0)
        await limiter.peek('user')
        expect(sizeOf(states) ?? 0).toBe(0)
        await follow(
          limiter,
          clock,
          [ok(0, { times: 2, remaining: 0 }), no(0, { remaining: 0 })],
          clock.nowMs(),
        )
      }
    })

    it(`${name}: five late refunds at once still leave one limit`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 1000), START)
      const reservations = await Promise.all(Array.from({ length: 5 }, () => limiter.reserve('user')))
      clock.advance(2000)
      const back = await Promise.all(reservations.map((reservation) => reservation.refund()))
      expect(back).toEqual([0, 0, 0, 0, 0])
      await follow(limiter, clock, [ok(0, { times: 5, remaining: 0 }), no(0)], clock.nowMs())
    })

    it(`${name}: a late refund does not reach into the next window's charges`, async () => {
      const { clock, limiter } = await rig(store, policy(2, 1000), START)
      const old = await limiter.reserve('user')
      clock.advance(2500)
      await limiter.take('user', { cost: 2 })
      expect(await old.refund()).toBe(0)
      expect((await limiter.peek('user')).remaining).toBe(0)
    })
  }

  for (const { name, policy } of [...FIXED_WINDOWS, LOG]) {
    it(`${name}: a refund counts until the instant before the window ends`, async () => {
      const { clock, limiter } = await rig(store, policy(2, 1000), START)
      const first = await limiter.reserve('user')
      const second = await limiter.reserve('user')
      clock.set(START + 999.999)
      expect(await first.refund()).toBe(1)
      clock.set(START + 1000)
      expect(await second.refund()).toBe(0)
    })
  }

  for (const { name, policy } of [SLIDING, STRICT]) {
    it(`${name}: a charge of the previous window comes back to the previous window`, async () => {
      const { clock, limiter } = await rig(store, policy(10, 1000), START)
      const reservation = await limiter.reserve('user', { cost: 8 })
      clock.advance(1500)
      await limiter.take('user', { cost: 3 })
      expect((await limiter.peek('user')).remaining).toBe(3)
      expect(await reservation.refund(4)).toBe(4)
      expect((await limiter.peek('user')).remaining).toBe(5)
    })
  }

  for (const { name, policy } of [FIXED, LOG]) {
    it(`${name}: a reset voids what was reserved before it`, async () => {
      const { clock, limiter, store: states } = await rig(store, policy(2, 1000), START)
      const reservation = await limiter.reserve('user')
      await limiter.reset('user')
      expect(await reservation.refund()).toBe(0)
      expect(sizeOf(states) ?? 0).toBe(0)
      clock.advance(1)
      await follow(limiter, clock, [ok(0, { times: 2, remaining: 0 }), no(0)], START + 1)
    })
  }
})

kind('refund-ignored-at-the-limit', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a refund counts where nothing remains, which is where it is needed`, async () => {
      const { clock, limiter } = await rig(store, policy(2, 60_000), START)
      await limiter.take('user')
      const second = await limiter.reserve('user')
      await follow(limiter, clock, [no(0, { remaining: 0 })], START)
      expect(await second.refund()).toBe(1)
      await follow(
        limiter,
        clock,
        [ok(0, { peek: true, remaining: 1 }), ok(0, { remaining: 0 }), no(0)],
        START,
      )
    })

    it(`${name}: a part of a charge comes back, and no more than that part`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 5 })
      expect(await reservation.refund(2)).toBe(2)
      await follow(
        limiter,
        clock,
        [no(0, { cost: 3, remaining: 2 }), ok(0, { cost: 2, remaining: 0 }), no(0)],
        START,
      )
    })

    it(`${name}: a refund out of debt pays the debt first`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 5 })
      await limiter.charge('user', 3)
      expect(await reservation.refund()).toBe(5)
      await follow(limiter, clock, [ok(0, { peek: true, remaining: 2 }), ok(0, { cost: 2 }), no(0)], START)
    })

    it(`${name}: a refund changes the wait of those who are denied, at once`, async () => {
      const { clock, limiter } = await rig(store, policy(4, 60_000), START)
      await limiter.take('user', { cost: 2 })
      const reservation = await limiter.reserve('user', { cost: 2 })
      clock.advance(0.5)
      expect((await limiter.take('user', { cost: 2 })).allowed).toBe(false)
      expect(await reservation.refund()).toBeGreaterThan(0)
      expect((await limiter.take('user')).allowed).toBe(true)
    })
  }
})

kind('refund-mints-quota', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a receipt gives back once, whoever holds it and however often`, async () => {
      const { left, right } = await twinRig(store, policy(5, 5000), START)
      await left.take('user', { cost: 2 })
      const reservation = await left.reserve('user', { cost: 3 })
      const receipt = reservation.receipt ?? ''
      const back = await Promise.all([
        right.refund(receipt),
        left.refund(receipt),
        reservation.refund(),
        right.refund(receipt),
      ])
      expect(back.reduce((sum, units) => sum + units, 0)).toBe(3)
      expect((await left.peek('user')).remaining).toBe(3)
    })

    it(`${name}: a refund of a part spends the receipt`, async () => {
      const { limiter } = await rig(store, policy(5, 5000), START)
      const { receipt = '' } = await limiter.reserve('user', { cost: 4 })
      expect(await limiter.refund(receipt, 1)).toBe(1)
      expect(await limiter.refund(receipt)).toBe(0)
      expect((await limiter.peek('user')).remaining).toBe(2)
    })

    it(`${name}: a receipt first read after its charge was given back gives nothing`, async () => {
      const { limiter } = await rig(store, policy(5, 5000), START)
      await limiter.take('user', { cost: 2 })
      for (const giveBack of [(held: Reservation) => held.refund(), (held: Reservation) => held.settle(0)]) {
        const held = await limiter.reserve('user', { cost: 3 })
        await giveBack(held)
        expect(held.receipt === undefined ? 0 : await limiter.refund(held.receipt)).toBe(0)
        expect((await limiter.peek('user')).remaining).toBe(3)
      }
    })

    it(`${name}: a receipt that gave back gives nothing more on a clock that went on and came back`, async () => {
      for (const aheadMs of [5000, 10_000, 10_001, 86_400_000]) {
        const { clock, limiter } = await rig(store, policy(9, 5000), START)
        const first = await limiter.reserve('user', { cost: 3 })
        const second = await limiter.reserve('user', { cost: 4 })
        const receipts = [first.receipt ?? '', second.receipt ?? '']
        expect(await limiter.refund(receipts[0] ?? '')).toBe(3)
        clock.advance(aheadMs)
        await limiter.refund(receipts[1] ?? '')
        clock.set(START + 10)
        const before = await limiter.peek('user')
        expect(await limiter.refund(receipts[0] ?? ''), `${aheadMs} ms ahead and back`).toBe(0)
        expect(await limiter.peek('user')).toEqual(before)
      }
    })

    it(`${name}: nobody gets back more than was charged`, async () => {
      const { limiter } = await rig(store, policy(5, 5000), START)
      await limiter.take('user', { cost: 2 })
      const reservation = await limiter.reserve('user')
      expect(await reservation.refund(1000)).toBe(1)
      expect((await limiter.peek('user')).remaining).toBe(3)
    })

    it(`${name}: a denial has no receipt and gives nothing back`, async () => {
      const { limiter } = await rig(store, policy(1, 5000), START)
      await limiter.take('user')
      const denied = await limiter.reserve('user')
      expect([denied.decision.allowed, denied.receipt, await denied.refund()]).toEqual([false, undefined, 0])
      await denied.settle(5)
      expect((await limiter.peek('user')).remaining).toBe(0)
    })

    it(`${name}: with nothing in use a refund finds nothing, and the limit stays the limit`, async () => {
      const { clock, limiter } = await rig(store, policy(1, 5000), START)
      const { receipt = '' } = await limiter.reserve('user')
      expect(await limiter.refund(receipt)).toBe(1)
      expect(await limiter.refund(receipt)).toBe(0)
      await follow(
        limiter,
        clock,
        [ok(0, { peek: true, remaining: 1 }), ok(0, { remaining: 0 }), no(0)],
        START,
      )
    })

    it(`${name}: what is committed stays charged`, async () => {
      const { limiter } = await rig(store, policy(5, 5000), START)
      const reservation = await limiter.reserve('user', { cost: 2 })
      reservation.commit()
      expect(await reservation.refund()).toBe(0)
      expect((await limiter.peek('user')).remaining).toBe(3)
    })

    it(`${name}: nonsense for units is refused and gives nothing back`, async () => {
      const { limiter } = await rig(store, policy(5, 5000), START)
      const reservation = await limiter.reserve('user', { cost: 2 })
      for (const units of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(limiter.refund(reservation.receipt ?? '', units)).rejects.toMatchObject({
          code: 'ERR_HEADGATE_COST',
        })
      }
      expect((await limiter.peek('user')).remaining).toBe(3)
    })
  }

  for (const { name, policy } of BUCKETS) {
    it(`${name}: what has refilled is not given back a second time`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 5000), START)
      const reservation = await limiter.reserve('user', { cost: 3 })
      clock.advance(1000)
      expect((await limiter.peek('user')).remaining).toBe(3)
      expect(await reservation.refund()).toBe(2)
      expect((await limiter.peek('user')).remaining).toBe(5)
    })

    it(`${name}: a full bucket takes nothing back`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 5000), START)
      const reservation = await limiter.reserve('user', { cost: 3 })
      clock.advance(3000)
      expect(await reservation.refund()).toBe(0)
      await follow(limiter, clock, [ok(0, { times: 5, remaining: 0 }), no(0)], clock.nowMs())
    })

    it(`${name}: a bucket drained again since does not take back an old charge`, async () => {
      const { clock, limiter } = await rig(store, policy(10, 10_000), START)
      const old = await limiter.reserve('user', { cost: 10 })
      clock.advance(9900)
      await limiter.take('user', { cost: 9 })
      expect(await old.refund()).toBe(0)
      await follow(limiter, clock, [no(0, { cost: 10, remaining: 0 })], clock.nowMs())
    })
  }

  it('token bucket without refill: all that is in use can come back, at any time', async () => {
    const { clock, limiter } = await rig(store, tokenBucket({ capacity: 5, refill: 0, per: 1000 }), START)
    const reservation = await limiter.reserve('user', { cost: 5 })
    clock.advance(30 * 86_400_000)
    expect(await reservation.refund(3)).toBe(3)
    await follow(limiter, clock, [ok(0, { times: 3, remaining: 0 }), no(0)], clock.nowMs())
  })

  it('all policies of a composed check get back what each took', async () => {
    const { limiter } = await composedRig(
      store,
      { user: FIXED.policy(5, 5000), all: BUCKET.policy(10, 5000) },
      START,
    )
    const reservation = await limiter.reserve({ user: 'ann', all: 'all' }, { cost: 4 })
    expect(await reservation.refund(3)).toBe(3)
    const { each } = await limiter.peek({ user: 'ann', all: 'all' })
    expect([each.user?.remaining, each.all?.remaining]).toEqual([4, 9])
  })

  it('only a receipt is a receipt, and only of this limiter', async () => {
    const { clock, limiter, store: states } = await rig(store, FIXED.policy(5, 5000), START)
    const other = new Limiter({ name: 'other', store: states, policy: FIXED.policy(5, 5000), clock })
    const { receipt = '' } = await other.reserve('user')
    for (const wrong of ['', 'user', receipt.slice(0, -1), `${receipt}0`, receipt]) {
      await expect(limiter.refund(wrong), wrong).rejects.toMatchObject({ code: 'ERR_HEADGATE_RECEIPT' })
    }
    expect((await other.peek('user')).remaining).toBe(4)
    expect((await limiter.peek('user')).remaining).toBe(5)
  })
})
