import fc from 'fast-check'
import { Limiter } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { describe, expect, it } from 'vitest'
import { numbersOf } from './oracle/bucket.ts'
import { limitOf, microsOf, type PolicySpec, reported } from './oracle/index.ts'
import type { FixedWindowSpec, SlidingLogSpec } from './oracle/spec.ts'
import { keptOf, runsOf } from './support/movements.ts'
import { type Event, play, played, type Refunding, type Trace } from './support/play.ts'
import { anyPolicy, buckets, composed, fixedWindows, oneOf, slidingLogs } from './support/random-policies.ts'
import type { Step } from './support/random-steps.ts'
import { traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'
import { memorySubject, policyOf } from './support/subject.ts'

const isRefund = (event: Event): event is Refunding => event.kind === 'refund'

/** When the charge no longer counts, so that there is nothing of it to give back. */
function endOf(spec: PolicySpec, { charged }: Refunding): number {
  if (spec.algorithm === 'sliding-window') {
    const window = microsOf(spec.windowMs)
    return reported((charged.nowMicros / window + 2n) * window)
  }
  if (spec.algorithm === 'sliding-log') return reported(charged.nowMicros + microsOf(spec.windowMs))
  return charged.decision.resetAtMs
}

/** Law 5. */
describe('a refund never mints', () => {
  it('a receipt gives back at most its charge, once, and nothing after the charge has ended', () =>
    holds(traces(oneOf(anyPolicy), { refunds: true, debt: true }), async (trace) => {
      const spec = trace.policies['default'] as PolicySpec
      const spent = new Set<string>()
      for (const event of (await played(trace)).filter(isRefund)) {
        expect(event.returned).toBeGreaterThanOrEqual(0)
        expect(event.returned).toBeLessThanOrEqual(
          Math.min(event.units ?? event.charged.cost, event.charged.cost),
        )
        if (spent.has(event.receipt)) expect(event.returned).toBe(0)
        if (event.returned > 0) spent.add(event.receipt)
        if (endOf(spec, event) <= reported(event.nowMicros)) expect(event.returned).toBe(0)
      }
    }))

  it('on a clock that jumps both ways a receipt still gives back once', () =>
    holds(traces(composed(3), { refunds: true, debt: true, back: true }), async (trace) => {
      const spent = new Set<string>()
      for (const event of (await played(trace)).filter(isRefund)) {
        if (spent.has(event.receipt)) expect(event.returned).toBe(0)
        if (event.returned > 0) spent.add(event.receipt)
      }
    }))

  it('what came back is there at once, and no more; a key that held nothing holds nothing still', () =>
    holds(traces(oneOf(anyPolicy), { refunds: true, debt: true, back: true }), async (trace: Trace) => {
      const spec = trace.policies['default'] as PolicySpec
      const subject = memorySubject(trace.policies)
      const keys = { default: 'k0' }
      let before = limitOf(spec)
      const observed = {
        ...subject,
        refund: async (receipt: string, units?: number) => {
          before = (await subject.peek(keys)).remaining
          return subject.refund(receipt, units)
        },
      }
      await play(observed, trace, async (event) => {
        if (event.kind !== 'refund') return
        const { remaining } = await subject.peek(keys)
        expect(remaining).toBeGreaterThanOrEqual(before)
        expect(remaining).toBeLessThanOrEqual(Math.min(limitOf(spec), before + event.returned))
      })
    }))

  it('sliding log: what is kept in the end fits the limit in any window', () =>
    holds(traces(oneOf(slidingLogs), { refunds: true }), async (trace) => {
      const { limit, windowMs } = trace.policies['default'] as SlidingLogSpec
      for (const { first, last, units } of runsOf(keptOf(await played(trace)))) {
        if (last.atMicros - first.atMicros < microsOf(windowMs))
          expect(units).toBeLessThanOrEqual(BigInt(limit))
      }
    }))

  it('fixed window: what is kept in the end fits the limit in each window', () =>
    holds(traces(oneOf(fixedWindows), { refunds: true }), async (trace) => {
      const { limit } = trace.policies['default'] as FixedWindowSpec
      for (const { first, last, units } of runsOf(keptOf(await played(trace)))) {
        if (first.resetAtMs === last.resetAtMs && Number.isFinite(first.resetAtMs)) {
          expect(units).toBeLessThanOrEqual(BigInt(limit))
        }
      }
    }))

  it('bucket: with one receipt given back, what is kept fits its burst and its refill in any interval', () =>
    holds(traces(oneOf(buckets), { refunds: true }), async (trace) => {
      const { capacity, refill, perMs } = numbersOf(
        trace.policies['default'] as Parameters<typeof numbersOf>[0],
      )
      if (refill === 0) return
      const period = microsOf(perMs)
      const events = await played({ ...trace, steps: withOneRefund(trace) })
      // A reset past the horizon is told as Infinity, and so can't say what has refilled.
      if (events.some((event) => isRefund(event) && !Number.isFinite(event.charged.decision.resetAtMs)))
        return
      for (const { first, last, units } of runsOf(keptOf(events))) {
        // The reset is told in whole microseconds, so the refund may reach for what refills in the rest of one.
        const refilled = (last.atMicros - first.atMicros + 1n) * BigInt(refill)
        expect(units * period).toBeLessThanOrEqual(BigInt(capacity) * period + refilled)
      }
    }))
})

/** Law 5, for who learns only afterwards what it cost. */
it('settle leaves what a refund of the rest, or a charge of the difference, leaves', () =>
  holds(
    fc.record({
      spec: anyPolicy,
      before: fc.integer({ min: 0, max: 3 }),
      cost: fc.integer({ min: 1, max: 5 }),
      actual: fc.integer({ min: 0, max: 9 }),
    }),
    async ({ spec, before, cost, actual }) => {
      const clock = new ManualClock(1_700_000_000_000)
      const policy = policyOf(spec)
      const settling = new Limiter({ policy, clock })
      const apart = new Limiter({ policy, clock })
      for (const limiter of [settling, apart]) await limiter.charge('k', before)
      const reservation = await settling.reserve('k', { cost })
      const { receipt } = await apart.reserve('k', { cost })
      await reservation.settle(actual)
      if (receipt !== undefined && actual < cost) await apart.refund(receipt, cost - actual)
      if (receipt !== undefined && actual > cost) await apart.charge('k', actual - cost)
      expect(await settling.peek('k')).toEqual(await apart.peek('k'))
      await reservation.settle(0)
      expect(await reservation.refund()).toBe(0)
      expect(await settling.peek('k')).toEqual(await apart.peek('k'))
    },
  ))

/** The trace without its refunds; then one receipt given back, and at once as much taken as there is. */
function withOneRefund(trace: Trace): Trace['steps'] {
  const isRefund = ({ act }: Step): boolean => act.do === 'refund'
  const last = trace.steps.findLast(isRefund)
  if (!last) return trace.steps
  const now = { ...last, move: { to: 'stay' as const } }
  return [
    ...trace.steps.filter((step) => !isRefund(step)),
    last,
    { ...now, act: { do: 'peek', cost: { of: 'units', units: 1 } } },
    { ...now, act: { do: 'take', cost: { of: 'remaining', more: 0 } } },
  ]
}
