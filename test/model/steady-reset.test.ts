import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { microsOf, neverRefills, type PolicySpec, reported } from './oracle/index.ts'
import { play, stretchMicros, type Trace } from './support/play.ts'
import { anyPolicy, composed, oneOf } from './support/random-policies.ts'
import { traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'
import { memorySubject } from './support/subject.ts'

interface Case {
  readonly trace: Trace
  /** When to look again: thousandths of the time until the reset. */
  readonly looks: readonly number[]
}

const cases = (all: fc.Arbitrary<Trace>): fc.Arbitrary<Case> =>
  fc.record({ trace: all, looks: fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 6 }) })

const REFUNDS_AND_DEBT = { refunds: true, debt: true }

async function settled(trace: Trace) {
  const subject = memorySubject(trace.policies)
  let nowMicros = trace.startMicros
  await play({ ...subject, close: async () => {} }, trace, (event) => {
    nowMicros = event.nowMicros
  })
  const keys = Object.fromEntries(Object.keys(trace.policies).map((name) => [name, 'k0']))
  return { subject, nowMicros, keys }
}

/** Law 4. */
describe('resetAtMs stays what it is while anything is held, and then is decidedAtMs', () => {
  it('for each policy, at random instants until its reset, just before it and at it', () =>
    holds(cases(traces(composed(), REFUNDS_AND_DEBT, 16)), async ({ trace, looks }) => {
      const { subject, nowMicros, keys } = await settled(trace)
      const { each } = await subject.peek(keys)
      const resets = Object.values(each).map((numbers) => numbers?.resetAtMs ?? 0)
      const furthest = Math.max(...resets.filter(Number.isFinite), reported(nowMicros))
      const ahead = microsOf(furthest) - nowMicros
      const edges = resets.filter(Number.isFinite).flatMap((at) => [microsOf(at) - 1n, microsOf(at)])
      const instants = [...looks.map((part) => nowMicros + (ahead * BigInt(part)) / 1000n), ...edges]
      for (const at of instants.filter((at) => at >= nowMicros).sort((a, b) => (a < b ? -1 : 1))) {
        await subject.setMs(reported(at))
        const now = await subject.peek(keys)
        for (const [name, numbers] of Object.entries(now.each)) {
          // One that never refills says Infinity until its 366 days are over.
          if (neverRefills(trace.policies[name] as PolicySpec)) continue
          expect(numbers?.resetAtMs).toBe(Math.max(each[name]?.resetAtMs ?? Number.NaN, reported(at)))
        }
      }
      await subject.close()
    }))

  it('where time stands still too: a clock that goes back by up to a span does not move it', () =>
    holds(cases(traces(oneOf(anyPolicy), { debt: true }, 16)), async ({ trace, looks }) => {
      const { subject, nowMicros, keys } = await settled(trace)
      await subject.take(keys)
      const held = await subject.peek(keys)
      if (held.resetAtMs <= reported(nowMicros)) return
      // A span before the newest time there can be, now, is within the span of whatever is held.
      const span = trace.policies['default'] ? stretchMicros(trace.policies['default']) : 0n
      for (const part of looks) {
        const at = nowMicros - (span * BigInt(part)) / 1000n
        if (at < 0n) continue
        await subject.setMs(reported(at))
        expect((await subject.peek(keys)).resetAtMs).toBe(held.resetAtMs)
      }
      await subject.close()
    }))
})
