import { fixedWindow, gcra, Limiter, type Policy, slidingWindow, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKET, FIXED, FIXED_EPOCH, GCRA, LOG, SLIDING, STRICT } from './algorithms.ts'
import { composedRig, kind, rig, twinRig } from './rig.ts'
import { follow, justBefore, no, ok, resetAfterMicros, STARTS, timelines } from './timeline.ts'

const START = STARTS[1] ?? 0

/** Policies that differ in their limit alone: the rest is the shape of the state. */
const RESIZED: readonly { readonly name: string; readonly of: (limit: number) => Policy }[] = [
  ...[FIXED, FIXED_EPOCH, SLIDING, STRICT, LOG].map(({ name, policy }) => ({
    name,
    of: (limit: number) => policy(limit, 60_000),
  })),
  { name: BUCKET.name, of: (capacity) => tokenBucket({ capacity, refill: 100, per: 60_000 }) },
  { name: GCRA.name, of: (burst) => gcra({ rate: 100, per: 60_000, burst }) },
]

kind('changed-limit-ignored', (store) => {
  const waits = new Map([
    [SLIDING.name, 90_000.001],
    [STRICT.name, 93_000],
    [BUCKET.name, 6600],
    [GCRA.name, 6600],
  ])
  for (const { name, of } of RESIZED) {
    timelines(store, [
      {
        promise: `${name}: a smaller limit holds at once, and what was used stays used`,
        policy: of(100),
        steps: [
          ok(0, { remaining: 99 }),
          ok(0, { policy: of(10), limit: 10, remaining: 8 }),
          ok(0, { limit: 100, remaining: 97 }),
        ],
      },
      {
        promise: `${name}: use above a smaller limit leaves nothing, never less, and the wait is exact`,
        policy: of(100),
        steps: [
          ok(0, { cost: 20, remaining: 80 }),
          no(0, { policy: of(10), limit: 10, remaining: 0, retryAfterMs: waits.get(name) ?? 60_000 }),
          ok(0, { policy: of(200), limit: 200, remaining: 179 }),
        ],
      },
      {
        promise: `${name}: a larger limit holds at once`,
        policy: of(5),
        steps: [
          ok(0, { cost: 5 }),
          no(0),
          ok(0, { policy: of(6), remaining: 0 }),
          no(0, { policy: of(6) }),
          ok(0, { policy: of(100), cost: 94, remaining: 0 }),
        ],
      },
    ])

    it(`${name}: who waits as the smaller limit says is admitted by it`, async () => {
      const { clock, limiter } = await rig(store, of(100), START)
      await limiter.take('user', { cost: 57 })
      const denied = await limiter.take('user', { policy: of(7), cost: 3 })
      clock.set(denied.allowed ? 0 : justBefore(denied.retryAtMs))
      expect((await limiter.peek('user', { policy: of(7), cost: 3 })).allowed).toBe(false)
      clock.advance(0.001)
      expect((await limiter.take('user', { policy: of(7), cost: 3 })).allowed).toBe(true)
    })

    it(`${name}: a deploy with another limit finds the use of before`, async () => {
      const { clock, limiter, store: states } = await rig(store, of(100), START)
      await limiter.take('user', { cost: 4 })
      const deployed = new Limiter({ name: 'api', store: states, policy: of(10), clock, shared: true })
      expect((await deployed.take('user')).remaining).toBe(5)
      await limiter.close()
      expect((await deployed.take('user')).remaining).toBe(4)
    })

    it(`${name}: a charge under one limit is refunded under another`, async () => {
      const { left, right } = await twinRig(store, of(100), START)
      const { receipt = '' } = await left.reserve('user', { cost: 6, policy: of(10) })
      expect(await right.refund(receipt, 4)).toBe(4)
      expect((await right.peek('user')).remaining).toBe(98)
    })
  }

  it('each policy of a composed limiter can be changed for a call, and only that one', async () => {
    const { limiter } = await composedRig(
      store,
      { user: FIXED.policy(5, 60_000), all: FIXED.policy(50, 60_000) },
      START,
    )
    const keys = { user: 'ann', all: 'all' }
    await limiter.take(keys, { cost: 5 })
    expect((await limiter.take(keys)).allowed).toBe(false)
    const { each } = await limiter.take(keys, { policy: { user: FIXED.policy(20, 60_000) } })
    expect(each).toMatchObject({ user: { limit: 20, remaining: 14 }, all: { limit: 50, remaining: 44 } })
  })
})

kind('changed-window-half-applied', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: another window is another state, and the old one lives on untouched`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 60_000), START)
      await limiter.take('user', { cost: 5 })
      clock.set(START + 5000)
      const before = await limiter.peek('user')
      const short = { policy: policy(5, 10_000) }
      const other = await limiter.take('user', short)
      expect([other.allowed, other.remaining]).toEqual([true, 4])
      expect(resetAfterMicros(other)).toBeLessThanOrEqual(20_000_000)
      await limiter.take('user', { ...short, cost: 4 })
      expect((await limiter.take('user', short)).allowed).toBe(false)
      expect(await limiter.peek('user')).toEqual(before)
    })
  }
  timelines(store, [
    {
      promise: 'fixed window: each of the two windows ends at its own time',
      policy: FIXED.policy(5, 60_000),
      steps: [
        ok(0, { cost: 5 }),
        ok(5000, { policy: FIXED.policy(5, 10_000), remaining: 4, resetAfterMs: 10_000 }),
        no(6000, { retryAfterMs: 54_000 }),
        ok(15_000, { policy: FIXED.policy(5, 10_000), remaining: 4, resetAfterMs: 10_000 }),
        ok(60_000, { remaining: 4 }),
      ],
    },
  ])

  const shapes: readonly (readonly [string, Policy, Policy])[] = [
    ['alignment', FIXED.policy(5, 60_000), FIXED_EPOCH.policy(5, 60_000)],
    ['strictness', SLIDING.policy(5, 60_000), STRICT.policy(5, 60_000)],
    ['algorithm', FIXED.policy(5, 60_000), slidingWindow({ limit: 5, window: 60_000 })],
    ['name of the bucket', BUCKET.policy(5, 60_000), GCRA.policy(5, 60_000)],
    [
      'refill',
      tokenBucket({ capacity: 5, refill: 1, per: 60_000 }),
      tokenBucket({ capacity: 5, refill: 2, per: 60_000 }),
    ],
    ['period', gcra({ rate: 1, per: 60_000, burst: 5 }), gcra({ rate: 1, per: 30_000, burst: 5 })],
  ]
  for (const [what, one, other] of shapes) {
    timelines(store, [
      {
        promise: `another ${what} is another state`,
        policy: one,
        steps: [
          ok(0, { cost: 5 }),
          ok(0, { policy: other, cost: 4, remaining: 1 }),
          no(0),
          ok(0, { policy: other, remaining: 0 }),
          no(0, { policy: other }),
          no(0),
        ],
      },
    ])
  }

  it('a window said in other words is the same state', async () => {
    const { limiter } = await rig(store, FIXED.policy(5, 60_000), START)
    await limiter.take('user')
    for (const window of ['1m', '60s', '60000ms'] as const)
      await limiter.take('user', { policy: fixedWindow({ limit: 5, window }) })
    expect((await limiter.peek('user')).remaining).toBe(1)
  })
})

kind('limiter-cached-across-limits', (store) => {
  for (const { name, of } of RESIZED) {
    it(`${name}: two limiters by name have two limits and two counts`, async () => {
      const { clock, limiter, store: states } = await rig(store, of(5), START)
      const large = new Limiter({ name: 'large', store: states, policy: of(50), clock })
      const rows = []
      for (const api of [limiter, large, limiter]) rows.push(await api.take('user'))
      expect(rows.map(({ limit, remaining }) => [limit, remaining])).toEqual([
        [5, 4],
        [50, 49],
        [5, 3],
      ])
    })

    it(`${name}: one limiter with a limit a call has each limit over one count`, async () => {
      const { clock, limiter } = await rig(store, of(5), START)
      await follow(
        limiter,
        clock,
        [
          ok(0, { cost: 5, limit: 5, remaining: 0 }),
          ok(0, { policy: of(50), peek: true, limit: 50, remaining: 45 }),
          no(0, { limit: 5, remaining: 0 }),
          ok(0, { policy: of(50), limit: 50, remaining: 44 }),
          no(0, { limit: 5, remaining: 0 }),
        ],
        START,
      )
    })
  }

  it('plans of a thousand sizes, in any order, each see their own limit', async () => {
    const { limiter } = await rig(store, FIXED.policy(5, 60_000), START)
    for (let n = 0; n < 1000; n++) {
      const size = 1 + ((n * 7919) % 1000)
      const { limit, remaining } = await limiter.take(`tenant ${size}`, {
        policy: FIXED.policy(size, 60_000),
      })
      expect([limit, remaining]).toEqual([size, size - 1])
    }
  })
})

kind('dynamic-window-ignored', (store) => {
  for (const { name, policy } of [FIXED, LOG, BUCKET, GCRA]) {
    timelines(store, [
      {
        promise: `${name}: a window of a call is as long as the call says`,
        policy: policy(99, 60_000),
        steps: [
          ok(0, { key: 'ann', policy: policy(1, 120_000) }),
          ok(0, { key: 'bob', policy: policy(1, 1000) }),
          ok(1000, { key: 'bob', policy: policy(1, 1000) }),
          no(1000, { key: 'ann', policy: policy(1, 120_000), retryAfterMs: 119_000 }),
          no(1999.999, { key: 'bob', policy: policy(1, 1000) }),
          ok(2000, { key: 'bob', policy: policy(1, 1000) }),
          ok(120_000, { key: 'ann', policy: policy(1, 120_000) }),
        ],
      },
    ])
  }
  timelines(store, [
    {
      promise: 'sliding window: a window of a call is as long as the call says',
      policy: SLIDING.policy(99, 60_000),
      steps: [
        ok(0, { key: 'ann', policy: SLIDING.policy(1, 120_000) }),
        ok(0, { key: 'bob', policy: SLIDING.policy(1, 1000) }),
        ok(1000.001, { key: 'bob', policy: SLIDING.policy(1, 1000) }),
        no(1000.001, { key: 'ann', policy: SLIDING.policy(1, 120_000), retryAfterMs: 119_000 }),
      ],
    },
  ])
})
