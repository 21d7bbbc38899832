import { fixedWindow, gcra, leakyBucket, slidingLog, tokenBucket } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, FIXED_EPOCH, LOG, SLIDING } from './algorithms.ts'
import { kind, rig, twinRig } from './rig.ts'
import { follow, no, ok, STARTS, timelines } from './timeline.ts'

kind('fast-rate-overadmits', (store) => {
  const rows = [
    {
      promise: '100 a second with a burst of 10',
      policy: gcra({ rate: 100, per: 1000, burst: 10 }),
      stepMs: 1,
      calls: 2000,
      admitted: 209,
    },
    {
      promise: 'the same as a bucket',
      policy: tokenBucket({ capacity: 10, refill: 100, per: 1000 }),
      stepMs: 1,
      calls: 2000,
      admitted: 209,
    },
    {
      promise: 'the same by pairs',
      policy: gcra({ rate: 100, per: 1000, burst: 10 }),
      cost: 2,
      stepMs: 1,
      calls: 2000,
      admitted: 104,
    },
    {
      promise: '1000 a second, asked twice as fast',
      policy: leakyBucket({ rate: 1000, per: 1000 }),
      stepMs: 0.5,
      calls: 2000,
      admitted: 1000,
    },
    {
      promise: 'a third of a second, caught late by whole milliseconds',
      policy: leakyBucket({ rate: 3, per: 1000 }),
      stepMs: 1,
      calls: 10_000,
      admitted: 30,
    },
    {
      promise: 'a third of a second, with room for the late catch',
      policy: gcra({ rate: 3, per: 1000, burst: 2 }),
      stepMs: 1,
      calls: 10_000,
      admitted: 31,
    },
    {
      promise: 'one a microsecond',
      policy: leakyBucket({ rate: 1_000_000, per: 1000 }),
      stepMs: 0.001,
      calls: 1000,
      admitted: 1000,
    },
    {
      promise: 'a window of 100 ms',
      policy: fixedWindow({ limit: 10, window: 100 }),
      stepMs: 1,
      calls: 2000,
      admitted: 200,
    },
    {
      promise: 'a log of 100 ms',
      policy: slidingLog({ limit: 10, window: 100 }),
      stepMs: 1,
      calls: 2000,
      admitted: 200,
    },
  ]
  for (const { promise, policy, cost = 1, stepMs, calls, admitted } of rows) {
    it(`a fast rate admits its burst and its rate, no more and no less: ${promise}`, async () => {
      for (const start of STARTS) {
        const { clock, limiter } = await rig(store, policy, start)
        let count = 0
        for (let call = 0; call < calls; call++) {
          clock.set(start + call * stepMs)
          if ((await limiter.take('user', { cost })).allowed) count++
        }
        expect(count, `from ${start}`).toBe(admitted)
      }
    })
  }
})

kind('polling-loses-refill', (store) => {
  const slow = tokenBucket({ capacity: 10, refill: 1, per: 3000 })
  const sevenths = [143, 286, 429, 572, 715, 858, 1000]
  const rows = [
    { promise: 'once a second', policy: slow, stepMs: 1000, at: [3000, 6000, 9000] },
    { promise: 'once a millisecond', policy: slow, stepMs: 1, at: [3000, 6000, 9000] },
    { promise: 'with a part token of 1/12', policy: slow, stepMs: 250, at: [3000, 6000, 9000] },
    {
      promise: 'a gcra',
      policy: gcra({ rate: 1, per: 3000, burst: 10 }),
      stepMs: 1000,
      at: [3000, 6000, 9000],
    },
    {
      promise: 'a leaky bucket',
      policy: leakyBucket({ rate: 1, per: 3000 }),
      stepMs: 1,
      at: [3000, 6000, 9000],
    },
    {
      promise: 'sevenths of a second',
      policy: tokenBucket({ capacity: 10, refill: 7, per: 1000 }),
      stepMs: 1,
      at: sevenths,
    },
    {
      promise: 'sevenths of a second, gcra',
      policy: gcra({ rate: 7, per: 1000, burst: 7 }),
      stepMs: 1,
      at: sevenths,
    },
    {
      promise: 'three units at a time',
      policy: tokenBucket({ capacity: 10, refill: 1, per: 1000 }),
      cost: 3,
      stepMs: 500,
      at: [3000, 6000, 9000],
    },
    {
      promise: 'one a day, asked every hour',
      policy: tokenBucket({ capacity: 3, refill: 1, per: '1d' }),
      stepMs: 3_600_000,
      at: [86_400_000, 172_800_000],
    },
  ]
  for (const { promise, policy, cost = 1, stepMs, at } of rows) {
    it(`a bucket that is often asked refills all the same: ${promise}`, async () => {
      const { clock, limiter } = await rig(store, policy, STARTS[1])
      await limiter.take('user', { cost: policy.limit })
      const admitted: number[] = []
      for (let ms = stepMs; ms <= (at.at(-1) ?? 0); ms += stepMs) {
        clock.set((STARTS[1] ?? 0) + ms)
        await limiter.peek('user')
        if (policy.limit > cost) await limiter.take('user', { cost: policy.limit })
        if ((await limiter.take('user', { cost })).allowed) admitted.push(ms)
      }
      expect(admitted).toEqual(at)
    })
  }
})

kind('large-hit-out-of-sight', (store) => {
  const waits = new Map([
    ['sliding window', 59_998.001],
    ['strict sliding window', 65_998],
    ['token bucket', 5998],
    ['gcra', 5998],
  ])
  for (const { name, policy } of ALGORITHMS) {
    timelines(store, [
      {
        promise: `${name}: a large hit counts in full against the small ones after it`,
        policy: policy(10, 60_000),
        steps: [
          ok(0, { cost: 6, remaining: 4 }),
          ok(1, { cost: 4, remaining: 0 }),
          no(2, { remaining: 0, retryAfterMs: waits.get(name) ?? 59_998 }),
        ],
      },
      {
        promise: `${name}: a hit that does not fit leaves room for one that does`,
        policy: policy(10, 60_000),
        steps: [
          ok(0, { cost: 8, remaining: 2 }),
          no(1, { cost: 3, remaining: 2 }),
          ok(2, { cost: 2, remaining: 0 }),
          no(3),
        ],
      },
    ])
  }
  timelines(store, [
    {
      promise: 'sliding log: a large hit leaves the window whole, at its own instant',
      policy: slidingLog({ limit: 10, window: 60_000 }),
      steps: [
        ok(0, { cost: 6 }),
        ok(1, { cost: 4 }),
        no(2, { cost: 6, retryAfterMs: 59_998 }),
        no(2, { cost: 7, retryAfterMs: 59_999 }),
        no(60_000, { cost: 7, remaining: 6 }),
        ok(60_000, { cost: 6, remaining: 0 }),
        ok(60_001, { cost: 4, remaining: 0 }),
        no(60_001),
      ],
    },
  ])
})

kind('same-tick-hits-merge-into-one', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: hits of one instant each count, from whichever process they come`, async () => {
      const { clock, left, right } = await twinRig(store, policy(5, 1000), 1000)
      const answers = []
      for (let call = 0; call < 10; call++) answers.push(await left.take('user'), await right.take('user'))
      expect(answers.filter((decision) => decision.allowed)).toHaveLength(5)
      expect(clock.nowMs()).toBe(1000)
    })

    it(`${name}: hits of one microsecond each count by their cost`, async () => {
      const { clock, limiter } = await rig(store, policy(5, 1000), 1000)
      let admitted = 0
      for (let call = 0; call < 20; call++) {
        clock.set(1000 + call / 100_000)
        if ((await limiter.take('user', { cost: 2 })).allowed) admitted++
      }
      expect(admitted).toBe(2)
      expect((await limiter.peek('user')).remaining).toBe(1)
    })
  }

  it('sliding log: hits of one instant leave together', async () => {
    const { clock, limiter } = await rig(store, LOG.policy(5, 1000))
    await follow(limiter, clock, [
      ok(1000, { times: 5, remaining: 0 }),
      no(1999.999, { remaining: 0 }),
      ok(2000, { times: 5, remaining: 0 }),
      no(2000),
    ])
  })

  it('hits on the two sides of a boundary are kept apart', async () => {
    for (const algorithm of [FIXED_EPOCH, SLIDING]) {
      const { clock, limiter } = await rig(store, algorithm.policy(4, 1000))
      const later = algorithm === SLIDING ? no(1000, { cost: 2 }) : ok(1000, { cost: 2, remaining: 2 })
      await follow(limiter, clock, [ok(999.999, { cost: 3, remaining: 1 }), later])
    }
  })
})
