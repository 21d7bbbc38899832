import { fixedWindow, gcra, type Limiter, type Policy, type Store, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKETS, FIXED, FIXED_EPOCH, LOG, SLIDING, STRICT } from './algorithms.ts'
import { kind, rig, sizeOf } from './rig.ts'
import { follow, no, ok, STARTS, timelines } from './timeline.ts'

const START = STARTS[1] ?? 0
const HOUR_MS = 3_600_000

type Api = Limiter<Policy, Store>

/** Every way in which a state is written. */
const PATHS: readonly { readonly name: string; readonly walk: (api: Api) => Promise<unknown> }[] = [
  { name: 'a charge', walk: (api) => api.take('user') },
  { name: 'a full quota', walk: (api) => api.take('user', { cost: 5 }) },
  { name: 'a denial', walk: async (api) => [await api.take('user', { cost: 5 }), await api.take('user')] },
  { name: 'debt', walk: (api) => api.charge('user', 9999) },
  { name: 'a refund of a part', walk: async (api) => (await api.reserve('user', { cost: 3 })).refund(1) },
  { name: 'a settlement above', walk: async (api) => (await api.reserve('user', { cost: 3 })).settle(9999) },
  {
    name: 'a reset and a charge',
    walk: async (api) => [await api.charge('user', 50), await api.reset('user'), await api.take('user')],
  },
]

kind('state-without-an-end', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    for (const path of PATHS) {
      it(`${name}: after ${path.name} the key is free at its reset, and its state is gone`, async () => {
        const { clock, limiter, store: states } = await rig(store, policy(5, 1000), START)
        await path.walk(limiter)
        const { resetAtMs } = await limiter.peek('user')
        expect(resetAtMs).toBeGreaterThan(START)
        expect(resetAtMs).toBeLessThan(START + 3_000_000)
        clock.set(resetAtMs)
        await limiter.peek('another')
        expect(sizeOf(states) ?? 0).toBe(0)
        await follow(limiter, clock, [ok(0, { times: 5, remaining: 0 }), no(0)], resetAtMs)
      })
    }
  }

  for (const { name, policy } of [FIXED, FIXED_EPOCH, LOG]) {
    it(`${name}: a key that is deep in debt is denied until its end and admitted at it`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 1000), START)
      await limiter.charge('user', 9999)
      await follow(
        limiter,
        clock,
        [no(0, { retryAfterMs: 1000 }), no(999.999), ok(1000, { remaining: 4 })],
        START,
      )
    })
  }

  for (const { name, policy } of [SLIDING, STRICT]) {
    it(`${name}: debt weighs for the next window too, and no longer`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 1000), START)
      await limiter.charge('user', 9999)
      await follow(
        limiter,
        clock,
        [no(0), no(1000), no(1999, { cost: 5 }), ok(2000, { remaining: 4 })],
        START,
      )
    })
  }

  it('a bucket that is never refilled is kept for 366 days and no longer', async () => {
    const {
      clock,
      limiter,
      store: states,
    } = await rig(store, tokenBucket({ capacity: 1, refill: 0, per: 1000 }), START)
    await limiter.take('user')
    clock.advance(366 * 86_400_000 - 0.001)
    expect((await limiter.take('user')).allowed).toBe(false)
    clock.advance(0.001)
    await limiter.peek('another')
    expect(sizeOf(states) ?? 0).toBe(0)
    expect((await limiter.take('user')).allowed).toBe(true)
  })
})

kind('seconds-for-milliseconds', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a state of a minute is not kept for a thousand`, async () => {
      const { clock, limiter, store: states } = await rig(store, policy(5, 60_000), START)
      await limiter.take('user', { cost: 5 })
      clock.advance(59_999)
      await limiter.peek('another')
      expect(sizeOf(states) ?? 1).toBe(1)
      clock.advance(60_001)
      await limiter.peek('another')
      expect(sizeOf(states) ?? 0).toBe(0)
    })
  }
})

kind('rate-above-one-a-tick', (store) => {
  const rows = [
    {
      promise: 'gcra of 6000 a second',
      policy: gcra({ rate: 6000, per: 1000, burst: 6000 }),
      burst: 6000,
      laterMs: 1,
      later: 6,
    },
    {
      promise: 'bucket of 6000 a second',
      policy: tokenBucket({ capacity: 6000, refill: 6000, per: 1000 }),
      burst: 6000,
      laterMs: 1,
      later: 6,
    },
    {
      promise: 'gcra of 5 a microsecond',
      policy: gcra({ rate: 5_000_000, per: 1000, burst: 50 }),
      burst: 50,
      laterMs: 0.002,
      later: 10,
    },
    {
      promise: 'bucket of 1e9 a millisecond',
      policy: tokenBucket({ capacity: 10, refill: 1e9, per: 1 }),
      burst: 10,
      laterMs: 0.001,
      later: 10,
    },
    {
      promise: 'fixed window of 6000 a second',
      policy: fixedWindow({ limit: 6000, window: 1000 }),
      burst: 6000,
      laterMs: 1000,
      later: 6000,
    },
    {
      promise: 'sliding log of 6000 a second',
      policy: LOG.policy(6000, 1000),
      burst: 6000,
      laterMs: 1000,
      later: 6000,
    },
    {
      promise: 'sliding window of 6000 a second',
      policy: SLIDING.policy(6000, 1000),
      burst: 6000,
      laterMs: 1001,
      later: 6,
    },
  ]
  for (const { promise, policy, burst, laterMs, later } of rows) {
    it(`a rate above one a tick is still a rate: ${promise}`, async () => {
      const { clock, limiter } = await rig(store, policy, START)
      const first = await limiter.take('user')
      expect([first.limit, first.remaining]).toEqual([burst, burst - 1])
      expect(1 + (await admittedOf(limiter, burst + 1000))).toBe(burst)
      clock.set(START + laterMs)
      expect(await admittedOf(limiter, later + 1000)).toBe(later)
    })
  }

  timelines(store, [
    {
      promise: 'a thousand million at once are counted to the unit',
      policy: gcra({ rate: 1e9, per: 1000, burst: 1e9 }),
      steps: [
        ok(0, { cost: 1e9 - 1, remaining: 1 }),
        ok(0, { remaining: 0 }),
        no(0, { retryAfterMs: 0.001 }),
        ok(0.001, { cost: 1000, remaining: 0 }),
        no(0.001),
      ],
    },
  ])
})

async function admittedOf(limiter: Api, calls: number): Promise<number> {
  let admitted = 0
  for (let call = 0; call < calls; call++) if ((await limiter.take('user')).allowed) admitted++
  return admitted
}

kind('history-expires-with-its-first-hit', (store) => {
  for (const { name, policy } of [SLIDING, STRICT, LOG, ...BUCKETS]) {
    timelines(store, [
      {
        promise: `${name}: what came later outlives what came first`,
        policy: policy(10, HOUR_MS),
        steps: [
          ok(0),
          ok(3_540_000, { times: 8 }),
          ...(name === STRICT.name
            ? [ok(3_660_000, { remaining: 0 }), no(3_660_000)]
            : [ok(3_660_000, { remaining: 1 }), ok(3_660_000, { remaining: 0 }), no(3_660_000)]),
        ],
      },
      {
        promise: `${name}: ten periods of steady use are never forgotten`,
        policy: policy(10, 1000),
        steps: Array.from({ length: 40 }, (_, n) => [
          ok(n * 600, { cost: 3 }),
          no(n * 600 + 100, { cost: 9 }),
        ]).flat(),
      },
    ])
  }
  timelines(store, [
    {
      promise: 'fixed window: its end is set by its first hit, and stays there',
      policy: FIXED.policy(10, HOUR_MS),
      steps: [
        ok(0, { resetAfterMs: HOUR_MS }),
        ok(3_540_000, { times: 9, remaining: 0, resetAfterMs: 60_000 }),
        no(3_599_999),
        ok(HOUR_MS, { remaining: 9 }),
      ],
    },
  ])
})

kind('refused-call-extends-the-wait', (store) => {
  for (const { name, policy } of [FIXED, FIXED_EPOCH, LOG, ...BUCKETS]) {
    timelines(store, [
      {
        promise: `${name}: who retries early is let in on time`,
        policy: policy(1, HOUR_MS),
        steps: [
          ok(0),
          no(2_700_000, { retryAfterMs: 900_000 }),
          no(3_540_000, { retryAfterMs: 60_000 }),
          no(3_599_999.999, { retryAfterMs: 0.001 }),
          ok(HOUR_MS),
        ],
      },
      {
        promise: `${name}: a hundred refused calls, large and small, move nothing`,
        policy: policy(3, HOUR_MS),
        steps: [
          ok(0, { cost: 3, resetAfterMs: HOUR_MS }),
          ...Array.from({ length: 100 }, (_, n) =>
            no(n * 10_000, { cost: 3, remaining: 0, resetAfterMs: HOUR_MS - n * 10_000 }),
          ),
          ok(HOUR_MS, { cost: 3, remaining: 0 }),
        ],
      },
    ])
  }
  timelines(store, [
    {
      promise: 'sliding window: refused calls do not weigh',
      policy: SLIDING.policy(1, HOUR_MS),
      steps: [
        ok(0),
        no(2_700_000, { retryAfterMs: 900_000.001 }),
        no(HOUR_MS, { retryAfterMs: 0.001 }),
        ok(HOUR_MS + 0.001),
      ],
    },
    {
      promise: 'strict sliding window: refused calls do not weigh',
      policy: STRICT.policy(1, HOUR_MS),
      steps: [
        ok(0),
        no(2_700_000, { retryAfterMs: 4_500_000 }),
        no(HOUR_MS),
        no(2 * HOUR_MS - 1),
        ok(2 * HOUR_MS),
      ],
    },
    {
      promise: 'fixed window: admitted calls do not push its end out either',
      policy: FIXED.policy(9, 1000),
      steps: [
        ok(0, { resetAfterMs: 1000 }),
        ok(400, { resetAfterMs: 600 }),
        ok(800, { resetAfterMs: 200 }),
        ok(1000, { remaining: 8 }),
      ],
    },
  ])
})

kind('expired-state-still-counted', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    const endMs = name === SLIDING.name || name === STRICT.name ? 120_000 : 60_000
    timelines(store, [
      {
        promise: `${name}: a state whose end is past counts for nothing, seen or not`,
        policy: policy(5, 60_000),
        steps: [
          ok(0, { times: 5, remaining: 0 }),
          ok(endMs + 10, { peek: true, cost: 5, remaining: 5, resetAfterMs: 0 }),
          ok(endMs + 10, { peek: true, remaining: 5, resetAfterMs: 0 }),
          ok(endMs + 10, { cost: 5, remaining: 0 }),
        ],
      },
      {
        promise: `${name}: at its very end a state counts for nothing`,
        policy: policy(5, 60_000),
        steps: [ok(0, { times: 5, remaining: 0 }), ok(endMs, { peek: true, cost: 5, remaining: 5 })],
      },
    ])
  }
})
