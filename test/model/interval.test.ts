import { describe, expect, it } from 'vitest'
import { numbersOf } from './oracle/bucket.ts'
import { DAYS_366_MICROS, microsOf } from './oracle/index.ts'
import type { FixedWindowSpec, SlidingLogSpec, SlidingWindowSpec } from './oracle/spec.ts'
import { movementsOf, runsOf } from './support/movements.ts'
import { played } from './support/play.ts'
import { buckets, fixedWindows, oneOf, slidingLogs, slidingWindows } from './support/random-policies.ts'
import type { Kind } from './support/random-steps.ts'
import { traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'

const REFUNDS_AND_DEBT: Kind = { refunds: true, debt: true }

/** Law 1, counted again from the admissions alone: a refund counts as minus its units at its instant. */
describe('units admitted in any interval never exceed what the policy allows', () => {
  it('sliding log: the limit in any window', () =>
    holds(traces(oneOf(slidingLogs), REFUNDS_AND_DEBT), async (trace) => {
      const { limit, windowMs } = trace.policies['default'] as SlidingLogSpec
      for (const { first, last, units } of runsOf(movementsOf(await played(trace)))) {
        if (last.atMicros - first.atMicros < microsOf(windowMs))
          expect(units).toBeLessThanOrEqual(BigInt(limit))
      }
    }))

  it('bucket: its burst and what refilled since', () =>
    holds(traces(oneOf(buckets), REFUNDS_AND_DEBT), async (trace) => {
      const { capacity, refill, perMs } = numbersOf(
        trace.policies['default'] as Parameters<typeof numbersOf>[0],
      )
      const period = microsOf(perMs)
      for (const { first, last, units } of runsOf(movementsOf(await played(trace)))) {
        const apart = last.atMicros - first.atMicros
        // One that never refills is kept for 366 days, and then is full again.
        if (refill === 0 && apart >= DAYS_366_MICROS) continue
        const refilled = apart * BigInt(refill)
        expect(units * period).toBeLessThanOrEqual(BigInt(capacity) * period + refilled)
      }
    }))

  it('fixed window: the limit in each window, and no admission outside the window it names', () =>
    holds(traces(oneOf(fixedWindows), REFUNDS_AND_DEBT), async (trace) => {
      const { limit, windowMs, align } = trace.policies['default'] as FixedWindowSpec
      const window = microsOf(windowMs)
      const movements = movementsOf(await played(trace)).filter(({ resetAtMs }) => Number.isFinite(resetAtMs))
      for (const { atMicros, resetAtMs } of movements) {
        const end = microsOf(resetAtMs)
        expect(atMicros >= end - window && atMicros < end).toBe(true)
        if (align === 'epoch') expect(end % window).toBe(0n)
      }
      for (const { first, last, units } of runsOf(movements)) {
        if (first.resetAtMs === last.resetAtMs) expect(units).toBeLessThanOrEqual(BigInt(limit))
      }
    }))

  it('sliding window counter: its estimate, counted again from all admissions', () =>
    holds(traces(oneOf(slidingWindows), { refunds: true }), async (trace) => {
      const spec = trace.policies['default'] as SlidingWindowSpec
      const counts = new Map<bigint, bigint>()
      const window = microsOf(spec.windowMs)
      for (const event of await played(trace)) {
        if (event.kind === 'refund') {
          const charged = event.charged.nowMicros / window
          counts.set(charged, (counts.get(charged) ?? 0n) - BigInt(event.returned))
        } else if (event.kind === 'take' || event.kind === 'peek') {
          const cost = BigInt(event.cost || 1)
          const fits = estimate(counts, window, event.nowMicros, spec.strict) + cost <= BigInt(spec.limit)
          expect(event.decision.allowed).toBe(fits)
          if (event.kind === 'peek' || event.cost === 0 || !fits) continue
          const current = event.nowMicros / window
          counts.set(current, (counts.get(current) ?? 0n) + cost)
        }
      }
    }))
})

/** The article's estimate: this window's count and the share of the last one's that is still in view, rounded to whole units. */
function estimate(counts: Map<bigint, bigint>, window: bigint, now: bigint, strict: boolean): bigint {
  const index = now / window
  const inView = (counts.get(index - 1n) ?? 0n) * (window - (now % window))
  return (counts.get(index) ?? 0n) + (strict ? (inView + window - 1n) / window : inView / window)
}
