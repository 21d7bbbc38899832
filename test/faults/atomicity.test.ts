import { Limiter, MemoryStore } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { expect, it } from 'vitest'
import { ALGORITHMS, FIXED, LOG } from './algorithms.ts'
import { composedRig, kind, memoryKind, twinRig } from './rig.ts'
import { STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

kind('concurrent-calls-overadmit', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: of a thousand calls at once from two processes, the limit is admitted`, async () => {
      const { left, right } = await twinRig(store, policy(5, 1000), START)
      const calls = Array.from({ length: 1000 }, (_, call) => (call % 2 ? left : right).take('user'))
      const decisions = await Promise.all(calls)
      const remains = decisions.filter((decision) => decision.allowed).map((decision) => decision.remaining)
      expect(remains.sort()).toEqual([0, 1, 2, 3, 4])
    })

    it(`${name}: of calls at once with unlike costs, no more units than the limit`, async () => {
      const { left, right } = await twinRig(store, policy(100, 1000), START)
      const costs = Array.from({ length: 200 }, (_, call) => 1 + (call % 9))
      const decisions = await Promise.all(
        costs.map((cost, call) => (call % 2 ? left : right).take('user', { cost })),
      )
      const units = costs.filter((_, call) => decisions[call]?.allowed).reduce((sum, cost) => sum + cost, 0)
      expect(units).toBe(100)
    })

    it(`${name}: refunds among a flood free as much as they give back`, async () => {
      const { left, right } = await twinRig(store, policy(10, 60_000), START)
      const held = await Promise.all(Array.from({ length: 10 }, () => left.reserve('user')))
      const [back, ...decisions] = await Promise.all([
        Promise.all(held.slice(0, 4).map((reservation) => reservation.refund())),
        ...Array.from({ length: 100 }, () => right.take('user')),
      ])
      const after = await Promise.all(Array.from({ length: 10 }, () => left.take('user')))
      const admitted = [...decisions, ...after].filter((decision) => decision.allowed)
      expect(back).toEqual([1, 1, 1, 1])
      expect(admitted).toHaveLength(4)
    })
  }

  it('of composed checks at once, no policy admits more than its limit and none is charged for the denied', async () => {
    const { limiter } = await composedRig(
      store,
      { user: FIXED.policy(3, 1000), all: LOG.policy(10, 1000) },
      START,
    )
    const calls = Array.from({ length: 500 }, (_, call) =>
      limiter.take({ user: `user ${call % 5}`, all: 'all' }),
    )
    const decisions = await Promise.all(calls)
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(10)
    const users = await Promise.all(
      Array.from({ length: 5 }, (_, n) => limiter.peek({ user: `user ${n}`, all: undefined })),
    )
    expect(users.reduce((used, { each }) => used + 3 - (each.user?.remaining ?? 0), 0)).toBe(10)
  })
})

memoryKind('entry-vanishes-mid-decision', () => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: with room for one key, a live key decides as ever while another is turned away`, async () => {
      const clock = new ManualClock(START)
      const store = new MemoryStore({ maxKeys: 1, clock })
      const limiter = new Limiter({ name: 'api', store, policy: policy(3, 1000), clock })
      await limiter.take('first')
      const [again, other, last] = await Promise.allSettled([
        limiter.take('first'),
        limiter.take('second'),
        limiter.take('first'),
      ])
      expect(again).toMatchObject({ status: 'fulfilled', value: { allowed: true, remaining: 1 } })
      expect(other).toMatchObject({ status: 'rejected', reason: { code: 'ERR_HEADGATE_SATURATED' } })
      expect(last).toMatchObject({ status: 'fulfilled', value: { allowed: true, remaining: 0 } })
    })

    it(`${name}: a state that gave its place away is refunded, asked and reset without harm`, async () => {
      const clock = new ManualClock(START)
      const store = new MemoryStore({ maxKeys: 1, clock })
      const limiter = new Limiter({ name: 'api', store, policy: policy(3, 1000), clock })
      const reservation = await limiter.reserve('first')
      clock.advance(2000)
      const [other, back, asked] = await Promise.all([
        limiter.take('second'),
        reservation.refund(),
        limiter.peek('first'),
        limiter.reset('first'),
      ])
      expect([other.allowed, back, asked.remaining]).toEqual([true, 0, 3])
      expect((await limiter.peek('second')).remaining).toBe(2)
    })
  }
})
