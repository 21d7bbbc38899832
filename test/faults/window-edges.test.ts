import { fixedWindow, slidingWindow } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKETS, COUNTERS, FIXED, FIXED_WINDOWS, LOG } from './algorithms.ts'
import { kind, rig } from './rig.ts'
import { no, ok, resetAfterMicros, STARTS, timelines } from './timeline.ts'

const YEAR_MS = 365 * 86_400_000

kind('previous-window-forgotten', (store) => {
  const counter = slidingWindow({ limit: 10, window: 10_000 })
  const tenInAWindow = Array.from({ length: 10 }, (_, hit) => ok(hit * 100))

  timelines(store, [
    {
      promise: 'a window boundary does not forget the previous window',
      policy: counter,
      steps: [
        ...tenInAWindow,
        no(10_000, { remaining: 0 }),
        ok(11_000, { remaining: 0 }),
        no(11_000, { remaining: 0 }),
        ok(11_000.001, { remaining: 0 }),
        no(11_000.001),
      ],
    },
    {
      promise: 'half way through a window, half of the previous one still counts',
      policy: counter,
      steps: [
        ...tenInAWindow,
        ok(11_000, { remaining: 0 }),
        ok(15_000, { remaining: 3 }),
        ok(15_000, { remaining: 2 }),
        ok(15_000, { remaining: 1 }),
        ok(15_000, { remaining: 0 }),
        no(15_000, { remaining: 0 }),
      ],
    },
    {
      promise: 'a strict counter gives nothing for a part of a unit',
      policy: slidingWindow({ limit: 10, window: 10_000, strict: true }),
      steps: [
        ...tenInAWindow,
        no(10_999.999),
        ok(11_000, { remaining: 0 }),
        no(11_000.001),
        no(11_999.999),
        ok(12_000),
      ],
    },
    {
      promise: 'one large hit just before the boundary weighs as much as many',
      policy: counter,
      steps: [
        ok(9_999, { cost: 10, remaining: 0 }),
        no(10_000, { retryAfterMs: 0.001 }),
        ok(10_000.001, { remaining: 0 }),
        no(15_000, { cost: 5 }),
        ok(15_000, { cost: 4, remaining: 0 }),
      ],
    },
    {
      promise: 'windows of one millisecond carry over too',
      policy: slidingWindow({ limit: 10, window: 1 }),
      steps: [
        ok(0, { times: 10 }),
        no(1),
        ok(1.1, { remaining: 0 }),
        no(1.1),
        ok(1.5, { times: 4, remaining: 0 }),
        no(1.5),
      ],
    },
    {
      promise: 'windows of a year carry over too',
      policy: slidingWindow({ limit: 10, window: '365d' }),
      starts: [0, YEAR_MS * 55],
      steps: [
        ok(0, { times: 10 }),
        no(YEAR_MS),
        ok(YEAR_MS * 1.1, { remaining: 0 }),
        no(YEAR_MS * 1.1),
        ok(YEAR_MS * 1.5, { cost: 4, remaining: 0 }),
      ],
    },
    {
      promise: 'a thousand million units carry over to the unit',
      policy: slidingWindow({ limit: 1e9, window: 10_000 }),
      steps: [
        ok(0, { cost: 1e9, remaining: 0 }),
        no(10_000),
        no(11_000, { cost: 1e8 + 1 }),
        ok(11_000, { cost: 1e8, remaining: 0 }),
        no(11_000),
      ],
    },
    {
      promise: 'two windows later nothing is carried over',
      policy: counter,
      steps: [ok(0, { times: 10 }), ok(20_000, { remaining: 9 })],
    },
    {
      promise: 'the first of many keys keeps its previous window while others come',
      policy: counter,
      steps: [
        ...['first', 'second', 'third'].map((key) => ok(500, { key, times: 10, remaining: 0 })),
        ...['second', 'third', 'first'].map((key) => no(10_000, { key })),
        ...['third', 'first', 'second'].map((key) => ok(11_000, { key, remaining: 0 })),
      ],
    },
  ])
})

kind('stale-hits-after-idle', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    for (const gap of [121_000, 200_000, 600_000, 366 * 86_400_000]) {
      timelines(store, [
        {
          promise: `${name}: hits older than ${gap} ms no longer count`,
          policy: policy(2, 60_000),
          steps: [
            ok(0),
            ok(1000, { remaining: 0 }),
            ok(gap, { remaining: 1 }),
            ok(gap, { remaining: 0 }),
            no(gap),
          ],
        },
      ])
    }
  }
})

kind('one-clock-for-all-keys', (store) => {
  for (const { name, policy } of [FIXED, LOG, ...BUCKETS]) {
    timelines(store, [
      {
        promise: `${name}: a key's time runs from its own first hit`,
        policy: policy(1, 10_000),
        steps: [
          ok(0, { key: 'early' }),
          ok(7000, { key: 'late' }),
          no(7001, { key: 'late', retryAfterMs: 9999 }),
          no(12_000, { key: 'late', retryAfterMs: 5000 }),
          no(16_999.999, { key: 'late', retryAfterMs: 0.001 }),
          ok(17_000, { key: 'late' }),
        ],
      },
      {
        promise: `${name}: fifty keys that come one after another leave one after another`,
        policy: policy(1, 10_000),
        steps: [
          ...Array.from({ length: 50 }, (_, n) => ok(n * 100, { key: `key ${n}` })),
          ...Array.from({ length: 50 }, (_, n) =>
            no(5000, { key: `key ${n}`, retryAfterMs: 5000 + n * 100 }),
          ),
          ...Array.from({ length: 50 }, (_, n) => ok(10_000 + n * 100, { key: `key ${n}` })),
        ],
      },
    ])
  }

  timelines(store, [
    {
      promise: 'fixed window on the epoch: the boundary is the same for all by design, and the wait says so',
      policy: fixedWindow({ limit: 1, window: 10_000, align: 'epoch' }),
      steps: [
        ok(0, { key: 'early' }),
        ok(7000),
        no(7001, { retryAfterMs: 2999 }),
        ok(10_000),
        no(12_000, { retryAfterMs: 8000 }),
      ],
    },
    {
      promise: 'sliding window: a unit is free as soon as less than the whole of it weighs',
      policy: slidingWindow({ limit: 1, window: 10_000 }),
      steps: [
        ok(7000),
        no(7001, { retryAfterMs: 2999.001 }),
        no(10_000, { retryAfterMs: 0.001 }),
        ok(10_000.001),
      ],
    },
    {
      promise: 'strict sliding window: a unit is free when none of it weighs',
      policy: slidingWindow({ limit: 1, window: 10_000, strict: true }),
      steps: [ok(7000), no(7001, { retryAfterMs: 12_999 }), no(19_999.999), ok(20_000)],
    },
  ])
})

kind('spent-at-the-instant-of-expiry', (store) => {
  for (const { name, policy } of [...FIXED_WINDOWS, LOG]) {
    timelines(store, [
      {
        promise: `${name}: the instant at which a window ends belongs to the next`,
        policy: policy(5, 1000),
        steps: [
          ok(0, { times: 5, remaining: 0 }),
          no(999.999, { retryAfterMs: 0.001, resetAfterMs: 0.001 }),
          ok(1000, { remaining: 4, resetAfterMs: 1000 }),
          ok(1000, { times: 4, remaining: 0, resetAfterMs: 1000 }),
          no(1000, { retryAfterMs: 1000 }),
        ],
      },
      {
        promise: `${name}: one unit a millisecond is one unit every millisecond`,
        policy: policy(1, 1),
        steps: Array.from({ length: 100 }, (_, ms) => [ok(ms, { remaining: 0 }), no(ms + 0.999)]).flat(),
      },
    ])
  }
  for (const { name, policy } of BUCKETS) {
    timelines(store, [
      {
        promise: `${name}: at the instant at which it is full it is full`,
        policy: policy(5, 1000),
        steps: [ok(0, { times: 5 }), no(999.999, { cost: 5 }), ok(1000, { remaining: 4, resetAfterMs: 200 })],
      },
    ])
  }
  for (const { name, policy } of COUNTERS) {
    timelines(store, [
      {
        promise: `${name}: two windows after it began, a window weighs nothing`,
        policy: policy(5, 1000),
        steps: [ok(0, { times: 5 }), no(1000), ok(2000, { remaining: 4 })],
      },
    ])
  }

  for (const algorithm of FIXED_WINDOWS) {
    it(`${algorithm.name}: every window begins at one hit and lasts no longer than a window`, async () => {
      const { clock, limiter } = await rig(store, algorithm.policy(1000, 50), STARTS[1])
      const resets = new Set<number>()
      for (let ms = 0; ms < 3000; ms++) {
        const decision = await limiter.take('user')
        const first = !resets.has(decision.resetAtMs)
        resets.add(decision.resetAtMs)
        expect(decision.remaining === 999, `at ${ms} ms, ${decision.remaining} remain`).toBe(first)
        expect(resetAfterMicros(decision), `at ${ms} ms`).toBeLessThanOrEqual(50_000)
        clock.advance(1)
      }
      expect(resets.size).toBe(60)
    })
  }
})
