import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { fixedWindow, Limiter, MemoryStore, StoreError, slidingLog, tokenBucket, WaitError } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { describe, expect, it } from 'vitest'
import { holds } from './support/runs.ts'

const floods = fc.record({
  maxKeys: fc.integer({ min: 1, max: 40 }),
  limit: fc.integer({ min: 1, max: 3 }),
  algorithm: fc.constantFrom('fixed', 'log', 'bucket'),
  /** Each call: which key, and by how many milliseconds the clock moves before it. */
  calls: fc.array(
    fc.record({ key: fc.nat({ max: 80 }), stepMs: fc.constantFrom(0, 0, 0, 1, 10, 400, 5_000) }),
    {
      minLength: 1,
      maxLength: 120,
      size: 'max',
    },
  ),
})

type Flood = typeof floods extends fc.Arbitrary<infer T> ? T : never

const WINDOW_MS = 1_000

function flooded({ maxKeys, limit, algorithm }: Flood) {
  const clock = new ManualClock(1_700_000_000_000)
  const store = new MemoryStore({ maxKeys, clock })
  const policy =
    algorithm === 'fixed'
      ? fixedWindow({ limit, window: WINDOW_MS })
      : algorithm === 'log'
        ? slidingLog({ limit, window: WINDOW_MS })
        : tokenBucket({ capacity: limit, refill: limit, per: WINDOW_MS })
  const limiter = new Limiter({ policy, store, clock, name: 'flooded' })
  return { clock, store, limiter }
}

const isSaturated = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'ERR_HEADGATE_SATURATED'

/** Law 10. */
describe('memory has a bound, and a live denial is not evicted to make room', () => {
  it('never more keys than maxKeys; a key that was denied is denied until its retry; what has no room is an error', () =>
    holds(floods, async (flood) => {
      const { clock, store, limiter } = flooded(flood)
      const deniedUntilMs = new Map<string, number>()
      for (const { key, stepMs } of flood.calls) {
        clock.advance(stepMs)
        const name = `k${key}`
        try {
          const decision = await limiter.take(name)
          const until = deniedUntilMs.get(name)
          if (until !== undefined && clock.nowMs() < until) expect(decision.allowed).toBe(false)
          if (!decision.allowed) deniedUntilMs.set(name, decision.retryAtMs)
        } catch (error) {
          expect(isSaturated(error)).toBe(true)
          // Not asked in vain: a key that holds a live denial always has its answer.
          expect(clock.nowMs()).toBeGreaterThanOrEqual(deniedUntilMs.get(name) ?? 0)
        }
        expect(store.size).toBeLessThanOrEqual(flood.maxKeys)
      }
      await limiter.close()
      await store.close()
    }))

  it('every key with a live state keeps its count through a flood of other keys', () =>
    holds(
      fc.record({ maxKeys: fc.integer({ min: 2, max: 30 }), others: fc.integer({ min: 1, max: 200 }) }),
      async (flood) => {
        const clock = new ManualClock(0)
        const store = new MemoryStore({ maxKeys: flood.maxKeys, clock })
        const limiter = new Limiter({
          policy: fixedWindow({ limit: 5, window: '1m' }),
          store,
          clock,
          name: 'flood',
        })
        const told: number[] = []
        limiter.on('saturated', ({ maxKeys }) => told.push(maxKeys))
        await limiter.take('victim', { cost: 5 })
        let refused = 0
        for (let other = 0; other < flood.others; other++) {
          await limiter.take(`other ${other}`).catch((error: unknown) => {
            expect(isSaturated(error)).toBe(true)
            refused++
          })
        }
        expect(refused).toBe(Math.max(0, flood.others - (flood.maxKeys - 1)))
        expect(told).toEqual(refused > 0 ? [flood.maxKeys] : [])
        expect((await limiter.take('victim')).allowed).toBe(false)
        clock.advance(60_000)
        expect((await limiter.take('victim')).allowed).toBe(true)
        expect((await limiter.take('newcomer')).allowed).toBe(true)
        await limiter.close()
      },
    ))
})

describe('the queue of those who wait has a bound', () => {
  it('maxWaiters wait, one more is refused at once, and all who wait are admitted in their order', () =>
    holds(
      fc.record({ maxWaiters: fc.integer({ min: 1, max: 12 }), more: fc.integer({ min: 1, max: 6 }) }),
      async ({ maxWaiters, more }) => {
        const clock = new ManualClock(0)
        const limiter = new Limiter({
          policy: tokenBucket({ capacity: 1, refill: 1, per: '1s' }),
          clock,
          maxWaiters,
        })
        await limiter.take('k')
        const admitted: number[] = []
        const waiting = Array.from({ length: maxWaiters }, (_, index) =>
          limiter.wait('k').then(() => {
            admitted.push(index)
          }),
        )
        for (let extra = 0; extra < more; extra++) {
          const refused = await limiter.wait('k').then(
            () => undefined,
            (error: unknown) => error,
          )
          expect(refused).toBeInstanceOf(WaitError)
          expect((refused as WaitError).code).toBe('ERR_HEADGATE_WAIT_QUEUE_FULL')
        }
        for (let turn = 0; turn < maxWaiters; turn++) {
          // The first in line falls asleep only after it was denied; a clock moved before that would wake nobody.
          await setImmediate()
          clock.advance(1_000)
          await waiting[turn]
        }
        expect(admitted).toEqual(Array.from({ length: maxWaiters }, (_, index) => index))
        await limiter.close()
      },
    ))
})
