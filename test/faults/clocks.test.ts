import { type Clock, fixedWindow, Limiter, tokenBucket } from 'headgate'
import { afterEach, expect, it, vi } from 'vitest'
import { ALGORITHMS, BUCKET, BUCKETS, COUNTERS, FIXED, FIXED_EPOCH, LOG } from './algorithms.ts'
import { kind, memoryKind, rig } from './rig.ts'
import { follow, justBefore, no, ok, resetAfterMicros, STARTS, timelines } from './timeline.ts'

const START = STARTS[1] ?? 0
const HOUR_MS = 3_600_000

afterEach(() => {
  vi.restoreAllMocks()
})

/** The longest that a drained key waits on a clock that goes right. */
const ordinaryWaitMs = (name: string, windowMs: number): number =>
  COUNTERS.some((counter) => counter.name === name) ? 2 * windowMs : windowMs

kind('clock-step-locks-out', (store) => {
  timelines(store, [
    {
      promise: 'token bucket: a step back beyond its fill time costs one ordinary wait, not the step',
      policy: tokenBucket({ capacity: 3, refill: 1, per: 1000 }),
      steps: [
        ok(100_000, { times: 3, remaining: 0 }),
        no(89_000, { remaining: 0, retryAfterMs: 1000, resetAfterMs: 3000 }),
        no(89_999.999, { retryAfterMs: 0.001 }),
        ok(90_000, { remaining: 0 }),
      ],
    },
    {
      promise: 'token bucket: through a smaller step back time stands still',
      policy: tokenBucket({ capacity: 3, refill: 1, per: 1000 }),
      steps: [
        ok(100_000, { times: 3, remaining: 0 }),
        no(98_500, { remaining: 0, retryAfterMs: 2500, resetAfterMs: 4500 }),
        no(97_000, { remaining: 0, retryAfterMs: 4000 }),
        no(100_999.999, { retryAfterMs: 0.001 }),
        ok(101_000, { remaining: 0 }),
      ],
    },
    {
      promise: 'fixed window: a step back beyond a window moves the window, and keeps what was used',
      policy: fixedWindow({ limit: 3, window: 1000 }),
      steps: [
        ok(100_000, { cost: 2, remaining: 1 }),
        ok(5_000, { remaining: 0, resetAfterMs: 1000 }),
        no(5_000, { retryAfterMs: 1000 }),
        no(5_999.999),
        ok(6_000, { remaining: 2 }),
      ],
    },
    {
      promise: 'fixed window: what a repair says it says again, though it was only asked for',
      policy: fixedWindow({ limit: 1, window: 1000 }),
      steps: [
        ok(10_000),
        no(5_000, { peek: true, retryAfterMs: 1000, resetAfterMs: 1000 }),
        no(5_999, { peek: true, retryAfterMs: 1 }),
        ok(6_000),
      ],
    },
    {
      promise: 'sliding log: a step back beyond a window keeps the hits, apart as they were',
      policy: LOG.policy(3, 1000),
      steps: [
        ok(100_000),
        ok(100_400, { cost: 2, remaining: 0 }),
        no(7_000, { retryAfterMs: 600, resetAfterMs: 1000 }),
        ok(7_600, { remaining: 0 }),
        no(7_600, { retryAfterMs: 400 }),
        ok(8_000, { remaining: 1 }),
      ],
    },
    {
      promise: 'sliding window: a step back beyond a window moves both windows',
      policy: ALGORITHMS[2]?.policy(10, 1000) ?? FIXED.policy(10, 1000),
      steps: [
        ok(99_000, { cost: 4 }),
        ok(100_000, { cost: 6, remaining: 0 }),
        no(7_000, { remaining: 0 }),
        ok(7_500, { cost: 2, remaining: 0 }),
        no(7_500),
      ],
    },
  ])

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: however far the clock steps back, the wait is one window more at most, and exact`, async () => {
      for (const stepMs of [
        0.001,
        1,
        999,
        999.999,
        1000,
        1000.001,
        1500,
        2000,
        2000.001,
        5000,
        HOUR_MS,
        START - 1,
      ]) {
        const { clock, limiter } = await rig(store, policy(4, 1000), START + 777)
        await limiter.take('user', { cost: 4 })
        clock.set(START + 777 - stepMs)
        const denied = await limiter.take('user')
        expect(denied.allowed, `after ${stepMs} ms back`).toBe(false)
        if (denied.allowed) continue
        expect(denied.retryAfterMs, `${stepMs} ms back`).toBeLessThanOrEqual(
          ordinaryWaitMs(name, 1000) + 1000,
        )
        expect(denied.remaining).toBe(0)
        clock.set(justBefore(denied.retryAtMs))
        expect((await limiter.take('user')).allowed, `${stepMs} ms back, a microsecond early`).toBe(false)
        clock.set(denied.retryAtMs)
        expect((await limiter.take('user')).allowed, `${stepMs} ms back, on time`).toBe(true)
      }
    })

    it(`${name}: a clock that leaps ahead gives one quota, and its return takes none`, async () => {
      const { clock, limiter } = await rig(store, policy(4, 1000), START)
      await limiter.take('user', { cost: 4 })
      clock.advance(10 * HOUR_MS)
      await follow(limiter, clock, [ok(0, { cost: 4, remaining: 0 }), no(0)], clock.nowMs())
      clock.set(START + 2000)
      const denied = await limiter.take('user')
      expect(denied.allowed).toBe(false)
      expect(resetAfterMicros(denied)).toBeLessThanOrEqual(2_000_000)
      clock.set(denied.resetAtMs)
      await follow(limiter, clock, [ok(0, { cost: 4, remaining: 0 })], clock.nowMs())
    })

    it(`${name}: a refund from before a clock was repaired is void`, async () => {
      const { clock, limiter } = await rig(store, policy(4, 1000), START + HOUR_MS)
      const reservation = await limiter.reserve('user', { cost: 3 })
      clock.set(START)
      expect((await limiter.peek('user')).remaining).toBe(1)
      expect(await reservation.refund()).toBe(0)
      expect((await limiter.peek('user')).remaining).toBe(1)
    })

    it(`${name}: the instant of a decision is the clock's, also where time stands still`, async () => {
      const { clock, limiter } = await rig(store, policy(4, 1000), START + 777)
      await limiter.take('user')
      clock.set(START + 277.125)
      expect((await limiter.take('user')).decidedAtMs).toBe(START + 277.125)
    })
  }

  for (const { name, policy, costs } of [
    ...BUCKETS.map((bucket) => ({ ...bucket, costs: [3, 3, 1] })),
    { ...LOG, costs: [1, 1, 1] },
  ]) {
    it(`${name}: it stays void when the repaired state is in use at the same instant again`, async () => {
      const { clock, limiter } = await rig(store, policy(4, 1000), START + 1500)
      const reservation = await limiter.reserve('user', { cost: 3 })
      clock.set(START)
      expect((await limiter.peek('user')).remaining).toBe(1)
      for (const [n, at] of [700, 1400, 1500].entries()) {
        clock.set(START + at)
        expect((await limiter.take('user', { cost: costs[n] ?? 1 })).allowed).toBe(true)
      }
      const { remaining } = await limiter.peek('user')
      expect(await reservation.refund()).toBe(0)
      expect((await limiter.peek('user')).remaining).toBe(remaining)
    })
  }

  it('a clock that says nonsense is an error of the store, and the next reading decides again', async () => {
    const { clock, store: states } = await rig(store, FIXED.policy(2, 1000), START)
    const readings = [Number.NaN, -1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 2 ** 42]
    const read = vi.spyOn(clock, 'nowMs')
    const limiter = new Limiter({ name: 'odd', store: states, policy: FIXED.policy(2, 1000), clock })
    for (const reading of readings) {
      read.mockReturnValueOnce(reading)
      await expect(limiter.take('user'), `${reading}`).rejects.toMatchObject({
        name: 'StoreError',
        code: 'ERR_HEADGATE_CLOCK',
      })
    }
    expect((await limiter.take('user')).remaining).toBe(1)
  })

  it('an instant that microseconds can not tell is never, and what comes before it is exact', async () => {
    const last = 2 ** 42 - 1000
    const { clock, limiter } = await rig(store, FIXED.policy(1, 999), last)
    await follow(limiter, clock, [ok(0, { resetAfterMs: 999 }), no(998.999, { retryAfterMs: 0.001 })], last)
    const far = await rig(store, FIXED.policy(1, HOUR_MS), last)
    await follow(
      far.limiter,
      far.clock,
      [ok(0, { resetAfterMs: Number.POSITIVE_INFINITY }), no(1, { retryAfterMs: Number.POSITIVE_INFINITY })],
      last,
    )
  })
})

memoryKind('clock-step-locks-out', () => {
  /** A clock that reads right to the caller: the wall may be stepped under it. */
  const systemClock = (): Clock => new Limiter({ policy: FIXED.policy(1, 1000) }).store.clock

  it('a step of the wall clock, back or ahead, neither locks out nor gives', async () => {
    for (const stepMs of [-11 * HOUR_MS, 11 * HOUR_MS]) {
      const limiter = new Limiter({ policy: tokenBucket({ capacity: 3, refill: 1, per: '1h' }) })
      const before = limiter.takeSync('user', { cost: 3 })
      const wall = Date.now()
      vi.spyOn(Date, 'now').mockImplementation(() => wall + stepMs)
      const after = limiter.takeSync('user')
      expect(after).toMatchObject({ allowed: false, remaining: 0 })
      expect(after.allowed ? 0 : after.retryAfterMs).toBeLessThanOrEqual(HOUR_MS)
      expect(after.decidedAtMs).toBeGreaterThanOrEqual(before.decidedAtMs)
      expect(after.decidedAtMs).toBeLessThan(before.decidedAtMs + HOUR_MS)
      vi.restoreAllMocks()
    }
  })

  it('the clock of the system never goes back, and reads as the wall does', () => {
    const clock = systemClock()
    let last = clock.nowMs()
    expect(Math.abs(last - Date.now())).toBeLessThan(60_000)
    for (let reading = 0; reading < 10_000; reading++) {
      const now = clock.nowMs()
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
  })
})

kind('lagging-clock-refills-twice', (store) => {
  const BASE = 1_634_808_290_000
  for (const { name, policy } of BUCKETS) {
    timelines(store, [
      {
        promise: `${name}: a host whose clock lags does not move the mark back, and nothing is refilled twice`,
        policy: policy(150, 1000),
        starts: [BASE],
        steps: [
          ok(0, { cost: 150, remaining: 0, resetAfterMs: 1000 }),
          no(-1000, { remaining: 0, retryAfterMs: 1006.667, resetAfterMs: 2000 }),
          no(0, { remaining: 0, retryAfterMs: 6.667, resetAfterMs: 1000 }),
          no(-1000, { times: 20 }),
          ok(1000, { times: 150, remaining: 0 }),
          no(1000),
        ],
      },
      {
        promise: `${name}: a part of a refill is not earned again either`,
        policy: policy(150, 1000),
        starts: [BASE],
        steps: [
          ok(0, { cost: 150 }),
          ok(500, { cost: 75, remaining: 0 }),
          no(0, { remaining: 0 }),
          no(-400, { remaining: 0 }),
          no(500, { remaining: 0 }),
          no(506.666),
          ok(506.667, { remaining: 0 }),
        ],
      },
    ])
  }

  for (const { name, policy } of [FIXED, FIXED_EPOCH, LOG]) {
    timelines(store, [
      {
        promise: `${name}: a charge from a lagging host counts as one of now`,
        policy: policy(3, 1000),
        starts: [BASE],
        steps: [
          ok(0, { remaining: 2 }),
          ok(-600, { remaining: 1, resetAfterMs: 1600 }),
          ok(-1000, { remaining: 0, resetAfterMs: 2000 }),
          no(-1000, { retryAfterMs: 2000 }),
          no(999.999),
          ok(1000, { remaining: 2 }),
        ],
      },
    ])
  }

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: two hosts, one of whose clocks lags, are admitted no more than one with the clock that is ahead`, async () => {
      for (const lagMs of [1, 50, 250, 500]) {
        const alone = await admitted(store, policy(20, 500), () => 0)
        const together = await admitted(store, policy(20, 500), (call) => (call % 2 ? lagMs : 0))
        expect(together, `a lag of ${lagMs} ms`).toBeLessThanOrEqual(alone)
        expect(together, `a lag of ${lagMs} ms`).toBeGreaterThan(0)
      }
    })
  }

  it('a bucket drained by the host ahead gives the lagging one nothing until time has caught up', async () => {
    const { clock, limiter } = await rig(store, BUCKET.policy(10, 1000), START)
    await limiter.take('user', { cost: 10 })
    let given = 0
    for (let round = 1; round <= 50; round++) {
      clock.set(START + round)
      await limiter.peek('user')
      clock.set(START + round - 900)
      if ((await limiter.take('user')).allowed) given++
    }
    expect(given).toBe(0)
  })
})

/** How many of 6000 calls in 3 s are admitted, each made on a clock that lags by so much. */
async function admitted(
  store: Parameters<Parameters<typeof kind>[1]>[0],
  policy: ReturnType<typeof fixedWindow>,
  lagOf: (call: number) => number,
): Promise<number> {
  const { clock, limiter } = await rig(store, policy, START)
  let count = 0
  for (let call = 0; call < 6000; call++) {
    clock.set(START + call / 2 - lagOf(call))
    if ((await limiter.take('user')).allowed) count++
  }
  return count
}
