import type { Decision } from 'headgate'
import { describe, expect, it } from 'vitest'
import { type PolicySpec, reported } from './oracle/index.ts'
import { type Event, played, type Trace } from './support/play.ts'
import { alike, composed } from './support/random-policies.ts'
import { traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'
import { memorySubject, type Subject } from './support/subject.ts'

/** Law 8: a composed check does to its policies what limiters of one policy each would, were they asked first and charged only if all say yes. */
async function asIfApart(trace: Trace): Promise<void> {
  const apart = new Map(
    Object.entries(trace.policies).map(([name, spec]) => [name, memorySubject({ default: spec })]),
  )
  for (const event of await played(trace)) {
    if (event.kind !== 'take' && event.kind !== 'peek') continue
    const answers = await ask(apart, event)
    const all = [...answers.values()]
    const denials = all.filter((answer) => !answer.allowed)
    expect(event.decision.allowed).toBe(denials.length === 0)
    for (const [name, { limit, remaining, resetAtMs }] of answers) {
      expect(event.decision.each[name]).toEqual({ limit, remaining, resetAtMs })
    }
    if (event.decision.allowed) continue
    const waits = denials.map((denial) => (denial.allowed ? 0 : denial.retryAtMs))
    expect(event.decision.retryAtMs).toBe(Math.max(...waits))
    expect(event.decision.reason).toBe(
      denials.some((one) => !one.allowed && one.reason === 'never') ? 'never' : 'limit',
    )
    expect(answers.get(event.decision.policy)?.allowed).toBe(false)
  }
}

async function ask(
  apart: ReadonlyMap<string, Subject>,
  { kind, cost, keys, policies, nowMicros }: Event & { kind: 'take' | 'peek' },
): Promise<Map<string, Decision>> {
  const answers = new Map<string, Decision>()
  const each = async (call: 'peek' | 'take'): Promise<void> => {
    for (const [name, key] of Object.entries(keys)) {
      const subject = apart.get(name) as Subject
      await subject.setMs(reported(nowMicros))
      const options = { cost, policies: { default: policies[name] as PolicySpec } }
      answers.set(name, await subject[call]({ default: key }, options))
    }
  }
  await each('peek')
  const admitted = [...answers.values()].every((answer) => answer.allowed)
  if (kind === 'take' && cost > 0 && admitted) await each('take')
  return answers
}

describe('a composed check charges all of its policies or none', () => {
  it('any policies', () => holds(traces(composed(), { plans: true, keys: true }, 14), asIfApart))

  it('policies that are nearly alike', () => holds(traces(alike, { plans: true, keys: true }, 14), asIfApart))
})
