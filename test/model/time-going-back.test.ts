import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numbersOf } from './oracle/bucket.ts'
import {
  DAYS_366_MICROS,
  limitOf,
  microsOf,
  neverRefills,
  type PolicySpec,
  reported,
} from './oracle/index.ts'
import type { FixedWindowSpec, SlidingLogSpec, SlidingWindowSpec } from './oracle/spec.ts'
import { type Movement, movementsOf, runsOf } from './support/movements.ts'
import { type Event, play, played, stretchMicros, type Trace } from './support/play.ts'
import {
  anyPolicy,
  buckets,
  fixedWindows,
  oneOf,
  slidingLogs,
  slidingWindows,
} from './support/random-policies.ts'
import { traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'
import { memorySubject } from './support/subject.ts'

const BACK = { refunds: true, debt: true, back: true }

const aligned = (align: 'first' | 'epoch') => fixedWindows.map((spec) => ({ ...spec, align }))
const firstWindows = aligned('first')
const epochWindows = aligned('epoch')

/** The same events on a clock with its backward steps removed: only what went forward counts. */
function unwound(events: readonly Event[]): Event[] {
  let before: bigint | undefined
  let elapsed = 0n
  return events.map((event) => {
    const step = before === undefined ? 0n : event.nowMicros - before
    before = event.nowMicros
    if (step > 0n) elapsed += step
    return { ...event, nowMicros: elapsed }
  })
}

const movementsForward = async (trace: Trace): Promise<Movement[]> =>
  movementsOf(unwound(await played(trace)))

/** Law 6, its first half. */
describe('time that goes back gives nothing: the interval law holds on the clock with its backward steps removed', () => {
  it('sliding log: the limit in any window', () =>
    holds(traces(oneOf(slidingLogs), BACK), async (trace) => {
      const { limit, windowMs } = trace.policies['default'] as SlidingLogSpec
      for (const { first, last, units } of runsOf(await movementsForward(trace))) {
        if (last.atMicros - first.atMicros < microsOf(windowMs))
          expect(units).toBeLessThanOrEqual(BigInt(limit))
      }
    }))

  it('bucket: its burst and what refilled since', () =>
    holds(traces(oneOf(buckets), BACK), async (trace) => {
      const { capacity, refill, perMs } = numbersOf(
        trace.policies['default'] as Parameters<typeof numbersOf>[0],
      )
      const period = microsOf(perMs)
      for (const { first, last, units } of runsOf(await movementsForward(trace))) {
        const apart = last.atMicros - first.atMicros
        if (refill === 0 && apart >= DAYS_366_MICROS) continue
        expect(units * period).toBeLessThanOrEqual(BigInt(capacity) * period + apart * BigInt(refill))
      }
    }))

  it('fixed window from the first charge: twice the limit in any window, as on a clock that only goes forward', () =>
    holds(traces(oneOf(firstWindows), { back: true }), async (trace) => {
      const { limit, windowMs } = trace.policies['default'] as FixedWindowSpec
      for (const { first, last, units } of runsOf(await movementsForward(trace))) {
        if (last.atMicros - first.atMicros < microsOf(windowMs)) {
          expect(units).toBeLessThanOrEqual(2n * BigInt(limit))
        }
      }
    }))

  it('aligned windows: the limit while the clock stays within one window', () =>
    holds(traces(fc.oneof(oneOf(epochWindows), oneOf(slidingWindows)), { back: true }), async (trace) => {
      const { limit, windowMs } = trace.policies['default'] as FixedWindowSpec | SlidingWindowSpec
      const window = microsOf(windowMs)
      let index = -1n
      let units = 0
      for (const event of await played(trace)) {
        if (event.nowMicros / window !== index) units = 0
        index = event.nowMicros / window
        if (event.kind === 'take' && event.decision.allowed) units += event.cost
        expect(units).toBeLessThanOrEqual(limit)
      }
    }))
})

/** The longest wait that a clock which only goes forward can cause: the counter remembers two windows. */
function longestWait(spec: PolicySpec): bigint {
  return spec.algorithm === 'sliding-window' ? 2n * stretchMicros(spec) : stretchMicros(spec) + 1n
}

/** Law 6, its second half. */
it('no client is locked out for longer than its span and its longest wait, however the clock jumped', () =>
  holds(traces(oneOf(anyPolicy), { refunds: true, back: true }), async (trace) => {
    const spec = trace.policies['default'] as PolicySpec
    if (neverRefills(spec)) return
    const subject = memorySubject(trace.policies)
    await play(subject, trace, async ({ nowMicros }) => {
      const cost = Math.max(1, limitOf(spec))
      const decision = await subject.peek({ default: 'k0' }, { cost })
      if (decision.allowed || !Number.isFinite(decision.retryAtMs)) return
      const longest = reported(nowMicros + stretchMicros(spec) + 1n + longestWait(spec))
      expect(decision.retryAtMs).toBeLessThanOrEqual(longest)
    })
  }))
