import fc from 'fast-check'
import type { Decision } from 'headgate'
import { describe, it } from 'vitest'
import { HORIZON_MICROS, least, limitOf, microsOf, type PolicySpec, reported } from './oracle/index.ts'
import { play, type Trace } from './support/play.ts'
import {
  alike,
  buckets,
  composed,
  fixedWindows,
  oneOf,
  slidingLogs,
  slidingWindows,
} from './support/random-policies.ts'
import { traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'
import { memorySubject } from './support/subject.ts'

interface Case {
  readonly trace: Trace
  /** How much the one who waits asks for, in eighths of the smallest limit; at least a unit. */
  readonly eighths: number
  /** Instants to look at before and after the one promised, as shares of the wait in thousandths. */
  readonly before: readonly number[]
  readonly after: readonly number[]
}

const thousandths = fc
  .array(fc.integer({ min: 0, max: 999 }), { maxLength: 4 })
  .map((all) => all.sort((a, b) => a - b))

const cases = (all: fc.Arbitrary<Trace>): fc.Arbitrary<Case> =>
  fc.record({ trace: all, eighths: fc.integer({ min: 0, max: 8 }), before: thousandths, after: thousandths })

/** The denial waits to the microsecond: looked at just before, at, and at random instants around. Then time only goes forward. */
async function waitsExactly({ trace, eighths, before, after }: Case): Promise<void> {
  const subject = memorySubject(trace.policies)
  let nowMicros = trace.startMicros
  await play({ ...subject, close: async () => {} }, trace, (event) => {
    nowMicros = event.nowMicros
  })
  const keys = Object.fromEntries(Object.keys(trace.policies).map((name) => [name, 'k0']))
  const limit = Math.min(...Object.values(trace.policies).map((spec: PolicySpec) => limitOf(spec)))
  const cost = Math.max(1, Math.floor((limit * eighths) / 8))
  const denial = await subject.peek(keys, { cost })
  if (denial.allowed || !Number.isFinite(denial.retryAtMs)) return
  const retryAt = microsOf(denial.retryAtMs)
  if (retryAt <= nowMicros)
    throw new Error(`denied at ${reported(nowMicros)} until ${denial.retryAtMs}, which is past`)
  const wait = retryAt - nowMicros
  const share = (part: number): bigint => (wait * BigInt(part)) / 1000n
  for (const at of [...before.map((part) => nowMicros + share(part)), retryAt - 1n]) {
    await subject.setMs(reported(at))
    told(await subject.take(keys, { cost }), false, denial.retryAtMs)
  }
  for (const at of [retryAt, ...after.map((part) => least(retryAt + share(part), HORIZON_MICROS - 1n))]) {
    await subject.setMs(reported(at))
    told(await subject.peek(keys, { cost }), true, denial.retryAtMs)
  }
  told(await subject.take(keys, { cost }), true, denial.retryAtMs)
  await subject.close()
}

function told(decision: Decision, allowed: boolean, retryAtMs: number): void {
  if (decision.allowed !== allowed) {
    throw new Error(
      `${allowed ? 'denied' : 'admitted'} at ${decision.decidedAtMs}, where the denial had said ${retryAtMs}`,
    )
  }
  if (!decision.allowed && decision.retryAtMs !== retryAtMs) {
    throw new Error(`at ${decision.decidedAtMs} the wait changed from ${retryAtMs} to ${decision.retryAtMs}`)
  }
}

/** Law 2. Debt, refunds and clocks that went back come first; then one waits. */
describe('a denial holds at every instant before retryAtMs, and at it the same cost is admitted', () => {
  const singles = { fixedWindows, slidingWindows, slidingLogs, buckets }
  for (const [name, policies] of Object.entries(singles)) {
    it(name, () =>
      holds(
        cases(traces(oneOf(policies), { refunds: true, debt: true, plans: true, back: true }, 16)),
        waitsExactly,
      ),
    )
  }

  it('composed policies', () =>
    holds(
      cases(traces(composed(), { refunds: true, debt: true, plans: true, back: true }, 16)),
      waitsExactly,
    ))

  it('composed policies that are nearly alike', () =>
    holds(cases(traces(alike, { refunds: true, debt: true, back: true }, 16)), waitsExactly))
})
