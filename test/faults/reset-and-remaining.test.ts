import { gcra, slidingWindow, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKETS, FIXED, FIXED_WINDOWS, LOG } from './algorithms.ts'
import { kind, rig } from './rig.ts'
import { follow, justBefore, no, ok, resetAfterMicros, STARTS, timelines } from './timeline.ts'

kind('fractions-on-the-wire', (store) => {
  for (const { name, policy } of BUCKETS) {
    timelines(store, [
      {
        promise: `${name}: what remains is told in whole units, rounded down`,
        policy: policy(10, 60_000),
        steps: [9, 8, 8, 7, 7, 6].map((remaining, call) => ok(call * 3500, { remaining })),
      },
      {
        promise: `${name}: a unit that is nearly back does not remain yet`,
        policy: policy(10, 60_000),
        steps: [ok(0), ok(5999.999, { peek: true, remaining: 9 }), ok(6000, { peek: true, remaining: 10 })],
      },
    ])
  }
  timelines(store, [
    {
      promise: 'sliding window: what remains is told in whole units',
      policy: slidingWindow({ limit: 7, window: 1000 }),
      steps: [
        ok(0, { times: 7 }),
        ok(1100, { remaining: 0 }),
        ok(1300, { remaining: 1 }),
        ok(1800, { remaining: 3 }),
      ],
    },
  ])
})

kind('reset-from-the-newest-hit', (store) => {
  timelines(store, [
    {
      promise: 'sliding log: the wait runs from the oldest hit that must leave, the reset from the newest',
      policy: LOG.policy(2, 60_000),
      steps: [
        ok(0),
        ok(10_000, { resetAfterMs: 60_000 }),
        no(20_000, { retryAfterMs: 40_000, resetAfterMs: 50_000 }),
        no(20_000, { cost: 2, retryAfterMs: 50_000 }),
        no(59_999, { retryAfterMs: 1 }),
        ok(60_000, { remaining: 0, resetAfterMs: 60_000 }),
      ],
    },
    {
      promise: 'sliding log: the wait passes over as many hits as the cost needs',
      policy: LOG.policy(6, 1000),
      steps: [
        ok(0, { cost: 1 }),
        ok(100, { cost: 2 }),
        ok(200, { cost: 3, remaining: 0 }),
        no(300, { cost: 1, retryAfterMs: 700 }),
        no(300, { cost: 2, retryAfterMs: 800 }),
        no(300, { cost: 3, retryAfterMs: 800 }),
        no(300, { cost: 4, retryAfterMs: 900 }),
        no(300, { cost: 6, retryAfterMs: 900 }),
      ],
    },
    {
      promise: 'fixed window: every reset is that of the window, whichever hit is asked',
      policy: FIXED.policy(3, 60_000),
      steps: [
        ok(0, { resetAfterMs: 60_000 }),
        ok(10_000, { resetAfterMs: 50_000 }),
        ok(59_000, { resetAfterMs: 1000 }),
        no(59_500, { resetAfterMs: 500, retryAfterMs: 500 }),
      ],
    },
  ])

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: at the reset the whole quota is back, and not a microsecond before`, async () => {
      const { clock, limiter } = await rig(store, policy(7, 999), STARTS[1])
      for (const wait of [0, 130.007, 200, 411.5, 99.999]) {
        clock.advance(wait)
        await limiter.take('user', { cost: 2 })
      }
      const { resetAtMs } = await limiter.peek('user')
      clock.set(justBefore(resetAtMs))
      expect((await limiter.peek('user')).remaining).toBeLessThan(7)
      clock.set(resetAtMs)
      const fresh = await limiter.peek('user')
      expect([fresh.remaining, resetAfterMicros(fresh)]).toEqual([7, 0])
    })

    it(`${name}: while nothing is charged the reset does not move`, async () => {
      const { clock, limiter } = await rig(store, policy(7, 1000), STARTS[1])
      const { resetAtMs } = await limiter.take('user', { cost: 7 })
      for (let ms = 0; ms < 700; ms += 7.001) {
        clock.set((STARTS[1] ?? 0) + ms)
        expect((await limiter.take('user', { cost: 7 })).resetAtMs).toBe(resetAtMs)
      }
    })
  }
})

kind('reset-forgets-earlier-spending', (store) => {
  for (const { name, policy } of [
    { name: 'token bucket', policy: tokenBucket({ capacity: 10, refill: 1, per: 1000 }) },
    { name: 'gcra', policy: gcra({ rate: 1, per: 1000, burst: 10 }) },
  ]) {
    timelines(store, [
      {
        promise: `${name}: the reset is when all that was spent is back`,
        policy,
        steps: [
          ok(0, { cost: 4, resetAfterMs: 4000 }),
          ok(0, { cost: 3, resetAfterMs: 7000 }),
          ok(2000, { peek: true, resetAfterMs: 5000, remaining: 5 }),
          no(2000, { cost: 6, resetAfterMs: 5000 }),
          ok(2000.5, { cost: 5, resetAfterMs: 9999.5, remaining: 0 }),
          ok(12_000, { peek: true, resetAfterMs: 0, remaining: 10 }),
        ],
      },
    ])

    it(`${name}: the reset counts debt too`, async () => {
      const { clock, limiter } = await rig(store, policy)
      await limiter.take('user', { cost: 10 })
      const indebted = await limiter.charge('user', 25)
      expect([indebted.remaining, resetAfterMicros(indebted)]).toEqual([0, 35_000_000])
      await follow(limiter, clock, [
        no(0, { retryAfterMs: 26_000, resetAfterMs: 35_000 }),
        no(25_999.999),
        ok(26_000),
      ])
    })
  }
  timelines(store, [
    {
      promise: 'sliding window: the reset moves on with each window that was charged',
      policy: slidingWindow({ limit: 10, window: 1000 }),
      steps: [ok(0, { cost: 4, resetAfterMs: 1750.001 }), ok(1500, { cost: 1, resetAfterMs: 500.001 })],
    },
  ])
})

kind('remaining-overstated-or-negative', (store) => {
  timelines(store, [
    {
      promise: 'sliding window: what remains leaves out neither window',
      policy: slidingWindow({ limit: 100, window: 10_000 }),
      steps: [ok(0, { cost: 50 }), ok(11_000, { cost: 10, remaining: 45 })],
    },
    {
      promise: 'strict sliding window: what remains is rounded as the decision is',
      policy: slidingWindow({ limit: 100, window: 10_000, strict: true }),
      steps: [
        ok(0, { cost: 51 }),
        ok(11_000, { cost: 10, remaining: 44 }),
        no(11_000, { cost: 45 }),
        ok(11_000, { cost: 44, remaining: 0 }),
      ],
    },
    {
      promise: 'strict sliding window: half a unit does not show as one',
      policy: slidingWindow({ limit: 5, window: 1000, strict: true }),
      steps: [
        ok(0, { times: 5 }),
        no(1100, { remaining: 0 }),
        no(1199.999, { remaining: 0 }),
        ok(1200, { remaining: 0 }),
      ],
    },
  ])
  for (const { name, policy } of ALGORITHMS) {
    timelines(store, [
      {
        promise: `${name}: a request too large for what remains leaves it as it is`,
        policy: policy(5, 60_000),
        steps: [
          ok(0, { cost: 3, remaining: 2 }),
          no(0, { cost: 3, remaining: 2 }),
          no(0, { cost: 5, remaining: 2 }),
          no(0, { cost: 6, remaining: 2, reason: 'never' }),
          ok(0, { cost: 2, remaining: 0 }),
          no(0, { remaining: 0 }),
        ],
      },
    ])

    it(`${name}: debt shows as nothing remaining, never as less`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 60_000), STARTS[1])
      expect((await limiter.charge('user', 12)).remaining).toBe(0)
      await follow(limiter, clock, [no(0, { remaining: 0 }), no(0, { remaining: 0, cost: 5 })], STARTS[1])
    })
  }
  for (const { name, policy } of FIXED_WINDOWS) {
    timelines(store, [
      {
        promise: `${name}: a larger limit for one call shows what it leaves, and the smaller one nothing`,
        policy: policy(5, 60_000),
        steps: [
          ok(0, { cost: 7, policy: policy(10, 60_000), remaining: 3 }),
          no(0, { remaining: 0, limit: 5 }),
          ok(0, { policy: policy(10, 60_000), remaining: 2, limit: 10 }),
        ],
      },
    ])
  }
})
