import { fixedWindow, Limiter, type Policy, slidingLog, slidingWindow } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { describe, expect, it } from 'vitest'

/**
 * The article's own figures. The conventions that give them: time starts at 0, where a window of each alignment begins; request i of a
 * uniform stream comes at (i + offset) · 12.5 ms, the first at 0; windows are aligned to the epoch; the buckets of 100 ms are
 * [k · 100, (k + 1) · 100) counted from 1 s on; the peak is the most units admitted in any (t − 2 s, t].
 */
function limiters(limit: number, windowMs: number): Record<'fixed' | 'counter' | 'log', Policy> {
  return {
    fixed: fixedWindow({ limit, window: windowMs, align: 'epoch' }),
    counter: slidingWindow({ limit, window: windowMs }),
    log: slidingLog({ limit, window: windowMs }),
  }
}

/** Whether each request was admitted. */
async function decided(policy: Policy, arrivalsMs: readonly number[]): Promise<boolean[]> {
  const clock = new ManualClock(0)
  const limiter = new Limiter({ policy, clock })
  const decisions: boolean[] = []
  for (const atMs of arrivalsMs) {
    clock.set(atMs)
    decisions.push((await limiter.take('k')).allowed)
  }
  await limiter.close()
  return decisions
}

const uniform = (count: number): number[] => Array.from({ length: count }, (_, i) => i * 12.5)
const count = (decisions: readonly boolean[]): number => decisions.filter(Boolean).length

function peak(arrivalsMs: readonly number[], decisions: readonly boolean[], windowMs: number): number {
  const admittedMs = arrivalsMs.filter((_, i) => decisions[i])
  const inWindow = (endMs: number): number =>
    admittedMs.filter((atMs) => atMs > endMs - windowMs && atMs <= endMs).length
  return Math.max(...admittedMs.map(inWindow))
}

function per100Ms(
  arrivalsMs: readonly number[],
  decisions: readonly boolean[],
  fromMs: number,
  toMs: number,
): number[] {
  const buckets = Array.from({ length: (toMs - fromMs) / 100 }, () => 0)
  for (const [i, atMs] of arrivalsMs.entries()) {
    const bucket = Math.floor((atMs - fromMs) / 100)
    if (decisions[i] && bucket in buckets) buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  return buckets
}

describe('at the edge of two windows, limit 100 in 2 s', () => {
  const burst = (startMs: number): number[] => Array.from({ length: 100 }, (_, i) => startMs + i * 0.01)
  const seam = [...burst(1_990), ...burst(2_010)]
  const expected = { fixed: 200, counter: 101, log: 100 }
  for (const [name, policy] of Object.entries(limiters(100, 2_000))) {
    it(`${name}: ${Reflect.get(expected, name)} of 200 in one rolling window`, async () => {
      expect(peak(seam, await decided(policy, seam), 2_000)).toBe(Reflect.get(expected, name))
    })

    it(`${name}: 100 at most of a uniform 80 a second`, async () => {
      const arrivalsMs = uniform(2_400)
      expect(peak(arrivalsMs, await decided(policy, arrivalsMs), 2_000)).toBe(100)
    })
  }
})

describe('2,400 requests at 80 a second, limit 50 in 1 s', () => {
  const arrivalsMs = uniform(2_400)
  const policies = limiters(50, 1_000)
  const steep = [8, 8, 8, 8, 8, 8, 2, 0, 0, 0]
  const shapes = { fixed: steep, counter: Array.from({ length: 10 }, () => 5), log: steep }

  for (const [name, policy] of Object.entries(policies)) {
    it(`${name}: 1,500 are admitted`, async () => {
      expect(count(await decided(policy, arrivalsMs))).toBe(1_500)
    })

    it(`${name}: each second after the first is admitted as ${Reflect.get(shapes, name)}`, async () => {
      const buckets = per100Ms(arrivalsMs, await decided(policy, arrivalsMs), 1_000, 30_000)
      expect(buckets).toEqual(Array.from({ length: 29 }, () => Reflect.get(shapes, name)).flat())
    })
  }

  it('the counter differs from the log in 1,102 decisions, 45.92 %; the fixed window in none', async () => {
    const log = await decided(policies.log, arrivalsMs)
    const differing = async (policy: Policy): Promise<number> =>
      (await decided(policy, arrivalsMs)).filter((admitted, i) => admitted !== log[i]).length
    const counter = await differing(policies.counter)
    expect(counter).toBe(1_102)
    expect(((counter / 2_400) * 100).toFixed(2)).toBe('45.92')
    expect(await differing(policies.fixed)).toBe(0)
  })
})
