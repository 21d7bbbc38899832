import { gcra, leakyBucket, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, FIXED } from './algorithms.ts'
import { kind, rig, sizeOf } from './rig.ts'
import { follow, no, ok, STARTS, timelines } from './timeline.ts'

const START = STARTS[1] ?? 0
const NEVER = Number.POSITIVE_INFINITY

kind('cost-above-the-limit-admitted', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    timelines(store, [
      {
        promise: `${name}: a cost above the limit is denied for ever, and costs nothing`,
        policy: policy(10, 60_000),
        steps: [
          no(0, { cost: 11, remaining: 10, reason: 'never', retryAfterMs: NEVER, resetAfterMs: 0 }),
          ok(0, { cost: 5, remaining: 5 }),
          no(0, { cost: 100, remaining: 5, reason: 'never', retryAfterMs: NEVER }),
          no(0, { cost: 1e9, remaining: 5, reason: 'never', retryAfterMs: NEVER }),
          no(0, { cost: 11, peek: true, remaining: 5, reason: 'never', retryAfterMs: NEVER }),
          ok(0, { cost: 5, remaining: 0 }),
          no(0, { cost: 11, reason: 'never', retryAfterMs: NEVER }),
          no(0, { cost: 10, reason: 'limit' }),
        ],
      },
      {
        promise: `${name}: a cost that is the limit is admitted on a fresh key`,
        policy: policy(10, 60_000),
        steps: [ok(0, { cost: 10, remaining: 0 }), no(0, { cost: 10, reason: 'limit' })],
      },
      {
        promise: `${name}: with a limit of one, two is never and one is now`,
        policy: policy(1, 60_000),
        steps: [
          no(0, { cost: 2, reason: 'never' }),
          ok(0, { remaining: 0 }),
          no(0, { cost: 2, reason: 'never' }),
          no(0, { reason: 'limit' }),
        ],
      },
    ])
  }
  timelines(store, [
    {
      promise: 'leaky bucket: two at once is never, whatever the rate',
      policy: leakyBucket({ rate: 1000, per: 1000 }),
      steps: [no(0, { cost: 2, reason: 'never', limit: 1 }), ok(0, { remaining: 0 })],
    },
    {
      promise: 'gcra: what counts is the burst, not the rate',
      policy: gcra({ rate: 1000, per: 1000, burst: 3 }),
      steps: [no(0, { cost: 4, reason: 'never', limit: 3 }), ok(0, { cost: 3, remaining: 0 })],
    },
  ])
})

kind('refused-cost-subtracted', (store) => {
  for (const { name, policy } of [
    { name: 'token bucket', policy: tokenBucket({ capacity: 10, refill: 1, per: 10_000 }) },
    { name: 'gcra', policy: gcra({ rate: 1, per: 10_000, burst: 10 }) },
  ]) {
    timelines(store, [
      {
        promise: `${name}: a refused call does not take what there is`,
        policy,
        steps: [
          ok(0, { cost: 8, remaining: 2 }),
          no(0, { cost: 5, remaining: 2, retryAfterMs: 30_000 }),
          ok(0, { cost: 2, remaining: 0 }),
        ],
      },
      {
        promise: `${name}: a refused call of a million does not move the reset`,
        policy,
        steps: [
          ok(0, { cost: 8, resetAfterMs: 80_000 }),
          no(0, { cost: 1_000_000, remaining: 2, reason: 'never', resetAfterMs: 80_000 }),
          no(0, { cost: 5, times: 50, remaining: 2, resetAfterMs: 80_000 }),
          ok(30_000, { cost: 5, remaining: 0 }),
        ],
      },
    ])
  }
  for (const { name, policy } of ALGORITHMS) {
    timelines(store, [
      {
        promise: `${name}: fifty refused calls later, what remained remains`,
        policy: policy(10, 60_000),
        steps: [
          ok(0, { cost: 8, remaining: 2 }),
          no(0, { cost: 5, times: 50, remaining: 2 }),
          no(0, { cost: 3, times: 50, remaining: 2 }),
          ok(0, { cost: 2, remaining: 0 }),
          no(0, { times: 50, remaining: 0 }),
        ],
      },
    ])
  }
})

kind('question-is-charged', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a cost of nothing on a fresh key charges nothing and stores nothing`, async () => {
      const { clock, limiter, store: states } = await rig(store, policy(5, 60_000), START)
      await follow(
        limiter,
        clock,
        [
          ok(0, { cost: 0, times: 3, remaining: 5, resetAfterMs: 0 }),
          ok(0, { peek: true, times: 3, remaining: 5 }),
        ],
        START,
      )
      expect(sizeOf(states) ?? 0).toBe(0)
    })

    it(`${name}: a cost of nothing on a drained key says when a unit is free, and moves nothing`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 60_000), START)
      const { resetAtMs } = await limiter.take('user', { cost: 5 })
      clock.advance(1)
      const one = await limiter.peek('user')
      for (let call = 0; call < 3; call++) expect(await limiter.take('user', { cost: 0 })).toEqual(one)
      expect([one.allowed, one.remaining, one.resetAtMs]).toEqual([false, 0, resetAtMs])
      clock.set(one.allowed ? 0 : one.retryAtMs)
      expect((await limiter.take('user')).allowed).toBe(true)
    })

    it(`${name}: a reservation of nothing has nothing to give back`, async () => {
      const { limiter, store: states } = await rig(store, policy(5, 60_000), START)
      const reservation = await limiter.reserve('user', { cost: 0 })
      expect([reservation.decision.remaining, await reservation.refund(), sizeOf(states) ?? 0]).toEqual([
        5, 0, 0,
      ])
    })

    it(`${name}: a charge of nothing charges nothing`, async () => {
      const { limiter, store: states } = await rig(store, policy(5, 60_000), START)
      expect([(await limiter.charge('user', 0)).remaining, sizeOf(states) ?? 0]).toEqual([5, 0])
    })
  }
  timelines(store, [
    {
      promise: 'a limit of nothing answers a question of nothing with never',
      policy: FIXED.policy(0, 1000),
      steps: [no(0, { cost: 0, remaining: 0, reason: 'never' })],
    },
  ])
})
