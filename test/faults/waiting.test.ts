import { fixedWindow, gcra, leakyBucket, type Policy, slidingLog, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKET, FIXED, FIXED_EPOCH, GCRA, LOG } from './algorithms.ts'
import { composedRig, kind, rig } from './rig.ts'
import { follow, no, ok, STARTS } from './timeline.ts'
import { every, Watch } from './waiters.ts'

const START = STARTS[1] ?? 0

interface Row {
  readonly promise: string
  readonly policy: Policy
  /** Spent by a direct call before anybody waits. */
  readonly spent?: number
  /** The cost of each waiter, all of whom come at once. */
  readonly costs: readonly number[]
  /** When each is granted, in milliseconds after the start. */
  readonly at: readonly number[]
  readonly stepMs: number
}

const ones = (count: number): number[] => Array.from({ length: count }, () => 1)
const thirds = [3333.334, 6666.667, 10_000, 13_333.334, 16_666.667, 20_000]

/** A test for each row: waiters are granted in order, each at its instant and not a microsecond before. */
function grants(store: Parameters<Parameters<typeof kind>[1]>[0], rows: readonly Row[]): void {
  for (const { promise, policy, spent = 0, costs, at, stepMs } of rows) {
    it(promise, async () => {
      const { clock, limiter } = await rig(store, policy, START)
      const watch = new Watch(clock)
      await limiter.take('user', { cost: spent })
      for (const [n, cost] of costs.entries()) await watch.on(`${n}`, limiter.wait('user', { cost }))
      const exact = at.filter((instant) => instant > 0).flatMap((instant) => [instant - 0.001, instant])
      const instants = [...every(stepMs, at.at(-1) ?? 0), ...exact].sort((a, b) => a - b)
      await watch.through(instants)
      expect(watch.granted).toEqual(at.map((instant, n) => [`${n}`, instant]))
      expect([watch.rejected, clock.sleepers]).toEqual([[], 0])
    })
  }
}

kind('wait-rounded-to-cycles', (store) => {
  grants(store, [
    {
      promise: 'fixed window: waiters of the next window go in the next, not in this',
      policy: fixedWindow({ limit: 3, window: 10_000 }),
      costs: ones(9),
      at: [0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000],
      stepMs: 1000,
    },
    {
      promise: 'fixed window on the epoch: the same',
      policy: FIXED_EPOCH.policy(3, 10_000),
      costs: ones(9),
      at: [0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000],
      stepMs: 2500,
    },
    {
      promise: 'sliding log: the same',
      policy: slidingLog({ limit: 3, window: 10_000 }),
      costs: ones(9),
      at: [0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000],
      stepMs: 2500,
    },
    {
      promise: 'token bucket: each at its own third of the period',
      policy: tokenBucket({ capacity: 3, refill: 3, per: 10_000 }),
      costs: ones(9),
      at: [0, 0, 0, ...thirds],
      stepMs: 2500,
    },
    {
      promise: 'gcra: each at its own third of the period',
      policy: gcra({ rate: 3, per: 10_000, burst: 3 }),
      costs: ones(9),
      at: [0, 0, 0, ...thirds],
      stepMs: 2500,
    },
    {
      promise: 'fixed window: large waiters go when they fit, a window apart',
      policy: fixedWindow({ limit: 3, window: 10_000 }),
      costs: [2, 2, 1, 3],
      at: [0, 10_000, 10_000, 20_000],
      stepMs: 2500,
    },
  ])

  it('a wait that would need a window too many is refused, at once where that can be known', async () => {
    const { clock, limiter } = await rig(store, fixedWindow({ limit: 3, window: 10_000 }), START)
    const watch = new Watch(clock)
    for (let n = 0; n < 9; n++) await watch.on(`${n}`, limiter.wait('user', { maxWaitMs: 25_000 }))
    await watch.on('tenth', limiter.wait('user', { maxWaitMs: 25_000 }))
    if (store.sync) expect(watch.rejected).toEqual([['tenth', 0, 'ERR_HEADGATE_WAIT_TOO_LONG']])
    await watch.through(every(5000, 25_000))
    expect(watch.granted).toHaveLength(9)
    expect(watch.rejected).toMatchObject([['tenth', expect.any(Number), 'ERR_HEADGATE_WAIT_TOO_LONG']])
    await watch.through(every(5000, 40_000))
    expect([watch.granted.length, clock.sleepers]).toEqual([9, 0])
  })
})

kind('waiters-wake-together', (store) => {
  grants(store, [
    {
      promise: 'token bucket: one waiter a unit',
      policy: tokenBucket({ capacity: 1, refill: 1, per: 3000 }),
      spent: 1,
      costs: ones(3),
      at: [3000, 6000, 9000],
      stepMs: 500,
    },
    {
      promise: 'gcra: one waiter a unit',
      policy: gcra({ rate: 1, per: 3000, burst: 1 }),
      spent: 1,
      costs: ones(3),
      at: [3000, 6000, 9000],
      stepMs: 500,
    },
    {
      promise: 'sliding log: one waiter a unit',
      policy: LOG.policy(1, 3000),
      spent: 1,
      costs: ones(3),
      at: [3000, 6000, 9000],
      stepMs: 500,
    },
    {
      promise: 'fixed window: one waiter a window of one',
      policy: FIXED.policy(1, 3000),
      spent: 1,
      costs: ones(3),
      at: [3000, 6000, 9000],
      stepMs: 500,
    },
    {
      promise: 'token bucket: pairs, with the burst spent',
      policy: tokenBucket({ capacity: 4, refill: 1, per: 1000 }),
      spent: 4,
      costs: [2, 2, 2],
      at: [2000, 4000, 6000],
      stepMs: 500,
    },
    {
      promise: 'strict sliding window: one waiter two windows later',
      policy: ALGORITHMS[3]?.policy(1, 1000) ?? FIXED.policy(1, 1000),
      spent: 1,
      costs: ones(2),
      at: [2000, 4000],
      stepMs: 250,
    },
  ])

  it('a clock that leaps wakes all who are due, and admits no more than the limit', async () => {
    for (const { name, policy } of ALGORITHMS) {
      const { clock, limiter } = await rig(store, policy(3, 1000), START)
      const watch = new Watch(clock)
      await limiter.take('user', { cost: 3 })
      for (let n = 0; n < 10; n++) await watch.on(`${n}`, limiter.wait('user'))
      await watch.through([10_000])
      expect(
        watch.granted.map(([waiter]) => waiter),
        name,
      ).toEqual(['0', '1', '2'])
      expect((await limiter.take('user')).allowed, name).toBe(false)
      await limiter.close()
    }
  })
})

kind('small-requests-overtake', (store) => {
  const bucket = tokenBucket({ capacity: 5, refill: 1, per: 1000 })

  it('a large waiter is not overtaken by small ones, who then go in the order in which they came', async () => {
    for (const policy of [bucket, gcra({ rate: 1, per: 1000, burst: 5 })]) {
      const { clock, limiter } = await rig(store, policy, START)
      const watch = new Watch(clock)
      await limiter.take('user', { cost: 5 })
      await watch.on('large', limiter.wait('user', { cost: 3 }))
      for (const at of [500, 1000, 1500]) {
        await watch.through([at])
        await watch.on(`small at ${at}`, limiter.wait('user'))
      }
      await watch.through(every(500, 8000).filter((at) => at > 1500))
      expect(watch.granted).toEqual([
        ['large', 3000],
        ['small at 500', 4000],
        ['small at 1000', 5000],
        ['small at 1500', 6000],
      ])
    }
  })

  it('a call that does not wait is decided by the state alone, and delays those who do', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    await limiter.take('user', { cost: 5 })
    await watch.on('large', limiter.wait('user', { cost: 3 }))
    await watch.through([1000])
    expect((await limiter.take('user')).allowed).toBe(true)
    await watch.through(every(500, 6000).filter((at) => at > 1000))
    expect(watch.granted).toEqual([['large', 4000]])
  })

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: first come is first served`, async () => {
      const { clock, limiter } = await rig(store, policy(2, 1000), START)
      const watch = new Watch(clock)
      await limiter.take('user', { cost: 2 })
      const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
      for (const [n, waiter] of names.entries())
        await watch.on(waiter, limiter.wait('user', { cost: 1 + (n % 2) }))
      await watch.through(every(50, 15_000))
      expect(watch.granted.map(([waiter]) => waiter)).toEqual(names)
      expect(clock.sleepers).toBe(0)
    })
  }

  it('waiters for one key do not stand in the way of another', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    await limiter.take('ann', { cost: 5 })
    for (let n = 0; n < 5; n++) await watch.on(`ann ${n}`, limiter.wait('ann', { cost: 5 }))
    await watch.on('bob', limiter.wait('bob', { cost: 5 }))
    expect(watch.granted).toEqual([['bob', 0]])
    await limiter.close()
  })

  it('who waits under another limit of the same state stands in the same line', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    const larger = tokenBucket({ capacity: 50, refill: 1, per: 1000 })
    await limiter.take('user', { cost: 5 })
    await watch.on('declared', limiter.wait('user'))
    await watch.on('larger', limiter.wait('user', { policy: larger, cost: 45 }))
    await watch.on('declared again', limiter.wait('user'))
    expect(watch.granted).toEqual([])
    await watch.through(every(500, 60_000))
    expect(watch.granted.map(([waiter]) => waiter)).toEqual(['declared', 'larger', 'declared again'])
  })

  it('waiters on several limits each take all or nothing, and none starves', async () => {
    const policies = { user: FIXED.policy(1, 1000), all: BUCKET.policy(2, 4000) }
    const { clock, limiter } = await composedRig(store, policies, START)
    const watch = new Watch(clock)
    await watch.on('ann', limiter.wait({ user: 'ann', all: 'all' }))
    await watch.on('ann again', limiter.wait({ user: 'ann', all: 'all' }))
    await watch.on('bob', limiter.wait({ user: 'bob', all: 'all' }))
    await watch.on('cyd alone', limiter.wait({ user: 'cyd', all: undefined }))
    expect(watch.granted).toEqual([
      ['ann', 0],
      ['cyd alone', 0],
    ])
    await watch.through(every(250, 6000))
    expect(watch.granted.slice(2)).toEqual([
      ['ann again', 1000],
      ['bob', 2000],
    ])
  })
})

kind('wait-beyond-capacity-never-ends', (store) => {
  for (const { name, policy } of [
    ...ALGORITHMS,
    { name: 'leaky bucket', policy: (limit: number, per: number) => leakyBucket({ rate: limit, per }) },
  ]) {
    for (const size of name === 'leaky bucket' ? [1] : [1, 5]) {
      it(`${name} of ${size}: the whole of it is granted at once, one more is refused at once`, async () => {
        const { clock, limiter } = await rig(store, policy(size, 5000), START)
        const watch = new Watch(clock)
        await watch.on('one more', limiter.wait('user', { cost: size + 1 }))
        await watch.on('the whole', limiter.wait('user', { cost: size }))
        await watch.on('next', limiter.wait('user'))
        await watch.on('one more behind it', limiter.wait('user', { cost: size + 1 }))
        expect(watch.granted).toEqual([['the whole', 0]])
        expect(watch.rejected).toEqual([
          ['one more', 0, 'ERR_HEADGATE_WAIT_NEVER'],
          ['one more behind it', 0, 'ERR_HEADGATE_WAIT_NEVER'],
        ])
        await limiter.close()
        expect(clock.sleepers).toBe(0)
      })
    }
  }

  it('the error of a wait that never ends carries the denial', async () => {
    const { limiter } = await rig(store, BUCKET.policy(5, 5000), START)
    await expect(limiter.wait('user', { cost: 6 })).rejects.toMatchObject({
      name: 'WaitError',
      decision: { allowed: false, reason: 'never', remaining: 5, retryAfterMs: Number.POSITIVE_INFINITY },
    })
  })
})

kind('refused-wait-loses-refill', (store) => {
  for (const policy of [
    tokenBucket({ capacity: 2, refill: 1, per: 1000 }),
    gcra({ rate: 1, per: 1000, burst: 2 }),
  ]) {
    it(`${policy.algorithm}: what was earned before a refused wait is there after it`, async () => {
      const { clock, limiter } = await rig(store, policy, START)
      await limiter.take('user', { cost: 2 })
      clock.advance(900)
      for (let attempt = 0; attempt < 20; attempt++) {
        await expect(limiter.wait('user', { cost: 2, maxWaitMs: 0 })).rejects.toMatchObject({
          code: 'ERR_HEADGATE_WAIT_TOO_LONG',
        })
        expect((await limiter.reserve('user', { cost: 2 })).receipt).toBeUndefined()
      }
      await follow(limiter, clock, [no(999.999), ok(1000, { remaining: 0 })], START)
    })
  }

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a wait that is refused behind others changes nothing, nor does one that is not`, async () => {
      const { clock, limiter } = await rig(store, policy(4, 1000), START)
      const watch = new Watch(clock)
      for (let hit = 0; hit < 3; hit++) {
        clock.set(START + hit * 10)
        await limiter.take('user')
      }
      const before = [await limiter.peek('user'), await limiter.peek('user', { cost: 4 })]
      await watch.on('first', limiter.wait('user', { cost: 2 }))
      for (const maxWaitMs of [0, 1, 500, 60_000]) {
        await watch.on(`${maxWaitMs}`, limiter.wait('user', { cost: 2, maxWaitMs }))
      }
      expect([await limiter.peek('user'), await limiter.peek('user', { cost: 4 })]).toEqual(before)
      await limiter.close()
    })

    it(`${name}: a refused wait changes nothing`, async () => {
      const { clock, limiter } = await rig(store, policy(3, 1000), START)
      await limiter.take('user', { cost: 2 })
      clock.advance(123.456)
      const before = await limiter.peek('user')
      await expect(limiter.wait('user', { cost: 3, maxWaitMs: 1 })).rejects.toMatchObject({
        code: 'ERR_HEADGATE_WAIT_TOO_LONG',
      })
      await expect(limiter.wait('user', { cost: 4 })).rejects.toMatchObject({
        code: 'ERR_HEADGATE_WAIT_NEVER',
      })
      expect(await limiter.peek('user')).toEqual(before)
    })
  }
})

kind('even-spacing-misplaced', (store) => {
  const sixths = Array.from({ length: 10 }, (_, n) => n * 360_000)
  grants(store, [
    {
      promise: 'ten an hour, evenly spaced, go every six minutes',
      policy: leakyBucket({ rate: 10, per: '1h' }),
      costs: ones(10),
      at: sixths,
      stepMs: 180_000,
    },
    {
      promise: 'a gcra with a burst of one does the same',
      policy: gcra({ rate: 10, per: '1h', burst: 1 }),
      costs: ones(10),
      at: sixths,
      stepMs: 180_000,
    },
    {
      promise: 'seven a second go at sevenths, none early and none drifting',
      policy: leakyBucket({ rate: 7, per: '1s' }),
      costs: ones(8),
      at: [0, 142.858, 285.716, 428.574, 571.432, 714.29, 857.148, 1000.006],
      stepMs: 50,
    },
    {
      promise: 'a burst first, and then evenly',
      policy: GCRA.policy(4, 1000),
      costs: ones(8),
      at: [0, 0, 0, 0, 250, 500, 750, 1000],
      stepMs: 125,
    },
  ])
})
