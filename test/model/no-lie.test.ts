import { describe, expect, it } from 'vitest'
import { limitOf, type PolicySpec } from './oracle/index.ts'
import { type Event, play, type Trace } from './support/play.ts'
import { alike, composed } from './support/random-policies.ts'
import { EVERYTHING, traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'
import { memorySubject, type Subject } from './support/subject.ts'

/** What one decision says of itself must hold together. */
function consistent(event: Event): void {
  if (event.kind === 'refund' || event.kind === 'reset') return
  const { decision } = event
  const cost = event.kind === 'charge' ? 1 : event.cost || 1
  expect(decision.each[decision.policy]).toEqual({
    limit: decision.limit,
    remaining: decision.remaining,
    resetAtMs: decision.resetAtMs,
  })
  expect(Object.keys(decision.each)).toEqual(Object.keys(event.policies).filter((name) => name in event.keys))
  for (const [name, numbers] of Object.entries(decision.each)) {
    expect(numbers?.limit).toBe(limitOf(event.policies[name] as PolicySpec))
    expect(Number.isSafeInteger(numbers?.remaining)).toBe(true)
    expect(numbers?.remaining).toBeGreaterThanOrEqual(0)
    expect(numbers?.remaining).toBeLessThanOrEqual(numbers?.limit ?? 0)
    expect(numbers?.resetAtMs).toBeGreaterThanOrEqual(decision.decidedAtMs)
  }
  if (decision.allowed) return
  expect(decision.remaining).toBeLessThan(cost)
  expect(decision.retryAtMs).toBeGreaterThan(decision.decidedAtMs)
  expect(decision.retryAfterMs).toBeGreaterThan(0)
  if (decision.reason === 'never') expect(decision.retryAtMs).toBe(Number.POSITIVE_INFINITY)
}

/** What remains is exactly what may be taken: all of it is admitted, one more is not. */
async function remainsWhatItSays(subject: Subject, { keys, policies }: Event): Promise<void> {
  const { each } = await subject.peek(keys, { policies })
  const least = Math.min(...Object.values(each).map((numbers) => numbers?.remaining ?? 0))
  if (least > 0) expect((await subject.peek(keys, { cost: least, policies })).allowed).toBe(true)
  expect((await subject.peek(keys, { cost: least + 1, policies })).allowed).toBe(false)
}

/** Law 9, of decisions; headers and bodies are made of them. */
async function truthful(trace: Trace): Promise<void> {
  const subject = memorySubject(trace.policies)
  await play(subject, trace, async (event) => {
    consistent(event)
    await remainsWhatItSays(subject, event)
  })
}

describe('a decision does not lie: a denial never reports enough remaining for its cost', () => {
  it('any policies, on a clock that jumps both ways', () =>
    holds(traces(composed(), { ...EVERYTHING, back: true }, 12), truthful))

  it('policies that are nearly alike', () =>
    holds(traces(alike, { ...EVERYTHING, back: true }, 12), truthful))
})
