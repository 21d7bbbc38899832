import {
  type Duration,
  fixedWindow,
  gcra,
  leakyBucket,
  type Policy,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS } from './algorithms.ts'
import { kind, rig } from './rig.ts'
import { follow, justBefore, no, ok, retryAfterMicros, timelines } from './timeline.ts'

/** Later than this, a window of a year may end where microseconds can no longer be told apart. */
const LATEST_MS = 4_200_000_000_000

kind('wait-in-the-wrong-unit', (store) => {
  const waits = new Map([
    ['sliding window', 58_000.001],
    ['strict sliding window', 70_000],
    ['token bucket', 10_000],
    ['gcra', 10_000],
  ])
  for (const { name, policy } of ALGORITHMS) {
    timelines(store, [
      {
        promise: `${name}: the wait is in milliseconds`,
        policy: policy(5, 60_000),
        steps: [ok(0, { times: 5, remaining: 0 }), no(2000, { retryAfterMs: waits.get(name) ?? 58_000 })],
      },
    ])
  }
  const inWords: readonly (readonly [Duration, number])[] = [
    ['250ms', 250],
    ['1.5s', 1500],
    ['1m', 60_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    [1500, 1500],
  ]
  for (const [window, ms] of inWords) {
    it(`a window of ${window} makes the same wait as one of ${ms} ms`, async () => {
      const { clock, limiter } = await rig(store, fixedWindow({ limit: 1, window }))
      await follow(limiter, clock, [
        ok(0, { resetAfterMs: ms }),
        no(0, { retryAfterMs: ms }),
        no(ms - 1, { retryAfterMs: 1 }),
      ])
    })
  }
})

kind('wait-is-always-the-window', (store) => {
  const everyTwoSeconds = Array.from({ length: 10 }, (_, hit) => ok(hit * 2000))
  timelines(store, [
    {
      promise: 'fixed window: the wait shrinks as its end comes near',
      policy: fixedWindow({ limit: 10, window: 60_000 }),
      steps: [
        ...everyTwoSeconds,
        no(20_000, { retryAfterMs: 40_000 }),
        no(59_999, { retryAfterMs: 1 }),
        ok(60_000),
      ],
    },
    {
      promise: 'fixed window on the epoch: the wait runs to the boundary, not from the hit',
      policy: fixedWindow({ limit: 1, window: 60_000, align: 'epoch' }),
      steps: [ok(45_000, { resetAfterMs: 15_000 }), no(46_000, { retryAfterMs: 14_000 }), ok(60_000)],
    },
    {
      promise: 'sliding log: the wait runs to the hit that leaves next',
      policy: slidingLog({ limit: 10, window: 60_000 }),
      steps: [
        ...everyTwoSeconds,
        no(20_000, { retryAfterMs: 40_000 }),
        no(20_000, { cost: 3, retryAfterMs: 44_000 }),
        ok(60_000, { remaining: 0 }),
        no(60_000, { retryAfterMs: 2000 }),
      ],
    },
    {
      promise: 'sliding window: the wait runs to the weight that lets a unit in',
      policy: slidingWindow({ limit: 10, window: 60_000 }),
      steps: [
        ...everyTwoSeconds,
        no(20_000, { retryAfterMs: 40_000.001 }),
        no(20_000, { cost: 5, retryAfterMs: 64_000.001 }),
        ok(60_000.001, { remaining: 0 }),
        no(60_000.001, { retryAfterMs: 6000 }),
      ],
    },
    {
      promise: 'token bucket: the wait runs to the next unit, or to as many as are asked',
      policy: tokenBucket({ capacity: 3, refill: 3, per: 60_000 }),
      steps: [
        ok(0, { times: 3 }),
        no(5000, { retryAfterMs: 15_000 }),
        no(5000, { cost: 2, retryAfterMs: 35_000 }),
        no(5000, { cost: 3, retryAfterMs: 55_000 }),
      ],
    },
  ])
})

kind('wait-rounded-down', (store) => {
  timelines(store, [
    {
      promise: 'fixed window: 999 ms to go are 999 ms',
      policy: fixedWindow({ limit: 1, window: 1000 }),
      steps: [ok(0), no(1, { retryAfterMs: 999 }), no(999.999, { retryAfterMs: 0.001 }), ok(1000)],
    },
    {
      promise: 'gcra: 1499 ms to go are 1499 ms',
      policy: gcra({ rate: 1, per: 1500, burst: 1 }),
      steps: [ok(0), no(1, { retryAfterMs: 1499 }), no(1499.999), ok(1500)],
    },
    {
      promise: 'leaky bucket: a third of a second is rounded up, to the microsecond',
      policy: leakyBucket({ rate: 3, per: 1000 }),
      steps: [
        ok(0),
        no(0, { retryAfterMs: 333.334 }),
        no(333.333),
        ok(333.334),
        no(333.334, { retryAfterMs: 333.334 }),
      ],
    },
    {
      promise: 'token bucket: thirds are not rounded twice',
      policy: tokenBucket({ capacity: 3, refill: 3, per: 1000 }),
      steps: [
        ok(0, { times: 3 }),
        no(0, { retryAfterMs: 333.334 }),
        no(0, { cost: 2, retryAfterMs: 666.667 }),
        no(0, { cost: 3, retryAfterMs: 1000 }),
        ok(333.334),
        no(333.334, { retryAfterMs: 333.333 }),
        ok(666.667),
        no(666.667, { retryAfterMs: 333.333 }),
        ok(1000),
      ],
    },
  ])

  const odd = [
    ...ALGORITHMS.map(({ name, policy }) => ({ name: `${name}, 7 per 997 ms`, policy: policy(7, 997) })),
    ...ALGORITHMS.map(({ name, policy }) => ({ name: `${name}, 3 per 1 ms`, policy: policy(3, 1) })),
    ...ALGORITHMS.map(({ name, policy }) => ({
      name: `${name}, 11 per 366 days`,
      policy: policy(11, 366 * 86_400_000),
    })),
    { name: 'leaky bucket, 7 per 1.5 s', policy: leakyBucket({ rate: 7, per: 1500 }) },
    { name: 'gcra, 13 per minute, burst 5', policy: gcra({ rate: 13, per: '1m', burst: 5 }) },
    {
      name: 'token bucket of 1e9 a year',
      policy: tokenBucket({ capacity: 1e9, refill: 999_999_937, per: '365d' }),
    },
  ]
  for (const { name, policy } of odd) {
    it(`${name}: who waits as told is admitted, and nobody a microsecond earlier`, async () => {
      const { clock, limiter } = await rig(store, policy, 1_764_547_201_234.567)
      const part = Math.ceil(policy.limit / 5)
      let denials = 0
      for (let round = 0; round < 200; round++) {
        const cost = 1 + (Math.imul(round, 7) % 5) * (part - 1)
        const decision = await limiter.take('user', { cost })
        if (clock.nowMs() > LATEST_MS) break
        if (decision.allowed) continue
        denials++
        clock.set(justBefore(decision.retryAtMs))
        expect((await limiter.take('user', { cost })).allowed, `round ${round}, a microsecond early`).toBe(
          false,
        )
        clock.set(decision.retryAtMs)
        expect((await limiter.take('user', { cost })).allowed, `round ${round}, on time`).toBe(true)
      }
      expect(denials).toBeGreaterThan(10)
    })

    it(`${name}: who waits whole seconds, rounded up, is admitted`, async () => {
      const { clock, limiter } = await rig(store, policy, 1_764_547_201_234.567)
      await limiter.take('user', { cost: policy.limit })
      const denied = await limiter.take('user')
      clock.advance(Math.ceil(retryAfterMicros(denied) / 1_000_000) * 1000)
      expect(denied.allowed).toBe(false)
      expect((await limiter.take('user')).allowed).toBe(true)
    })
  }
})

kind('wait-forgets-the-part-token', (store) => {
  timelines(store, [
    {
      promise: 'token bucket: the part of a unit that is earned shortens the wait',
      policy: tokenBucket({ capacity: 1, refill: 1, per: 1000 }),
      steps: [
        ok(0),
        no(200, { retryAfterMs: 800 }),
        no(999.5, { retryAfterMs: 0.5 }),
        ok(1000),
        no(1000, { retryAfterMs: 1000 }),
      ],
    },
    {
      promise: 'gcra: the same',
      policy: gcra({ rate: 1, per: 1000, burst: 1 }),
      steps: [ok(0), no(200, { retryAfterMs: 800 }), ok(1000)],
    },
    {
      promise: 'leaky bucket: the same, with thirds',
      policy: leakyBucket({ rate: 3, per: 1000 }),
      steps: [ok(0), no(200, { retryAfterMs: 133.334 }), ok(333.334)],
    },
    {
      promise: 'token bucket: a part of a unit counts towards a larger cost',
      policy: tokenBucket({ capacity: 5, refill: 1, per: 1000 }),
      steps: [
        ok(0, { cost: 5 }),
        no(1300, { cost: 3, remaining: 1, retryAfterMs: 1700 }),
        ok(1300, { remaining: 0 }),
        no(1300, { retryAfterMs: 700 }),
        no(1300, { cost: 3, retryAfterMs: 2700 }),
      ],
    },
    {
      promise: 'token bucket: what is earned above the capacity is not kept',
      policy: tokenBucket({ capacity: 2, refill: 1, per: 1000 }),
      steps: [ok(0, { cost: 2 }), ok(9_700, { cost: 2, remaining: 0 }), no(9_700, { retryAfterMs: 1000 })],
    },
  ])
})

kind('wait-forgets-the-burst', (store) => {
  const fiveOnce = (policy: Policy, unitMs: number) => ({
    policy,
    steps: [
      ok(0, { times: 5, remaining: 0, resetAfterMs: 5 * unitMs }),
      no(0, { retryAfterMs: unitMs }),
      no(0, { cost: 3, retryAfterMs: 3 * unitMs }),
      no(0, { cost: 5, retryAfterMs: 5 * unitMs }),
      no(0, { cost: 6, retryAfterMs: Number.POSITIVE_INFINITY, reason: 'never' as const }),
      ok(unitMs),
      no(unitMs, { retryAfterMs: unitMs }),
    ],
  })
  timelines(store, [
    {
      promise: 'gcra: the wait is to the next unit, not to an empty schedule',
      ...fiveOnce(gcra({ rate: 1, per: 1000, burst: 5 }), 1000),
    },
    { promise: 'gcra: the same at ten a second', ...fiveOnce(gcra({ rate: 10, per: 1000, burst: 5 }), 100) },
    {
      promise: 'token bucket: the same',
      ...fiveOnce(tokenBucket({ capacity: 5, refill: 1, per: 1000 }), 1000),
    },
  ])
})
