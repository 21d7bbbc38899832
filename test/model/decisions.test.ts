import { describe, it } from 'vitest'
import { agrees } from './support/agrees.ts'
import {
  alike,
  anyPolicy,
  buckets,
  composed,
  fixedWindows,
  oneOf,
  slidingLogs,
  slidingWindows,
} from './support/random-policies.ts'
import { EVERYTHING, traces } from './support/random-traces.ts'
import { holds } from './support/runs.ts'

describe('every field of every decision is what exact integers say', () => {
  const algorithms = { fixedWindows, slidingWindows, slidingLogs, buckets }
  for (const [name, policies] of Object.entries(algorithms)) {
    it(`${name}, on a clock that goes forward`, () => holds(traces(oneOf(policies), EVERYTHING), agrees))
    it(`${name}, on a clock that jumps both ways`, () =>
      holds(traces(oneOf(policies), { ...EVERYTHING, back: true }), agrees))
  }

  it('use so deep in debt that it saturates, on a clock that goes forward', () =>
    holds(traces(composed(3), { ...EVERYTHING, deep: true }), agrees))

  it('use so deep in debt that it saturates, on a clock that jumps both ways', () =>
    holds(traces(oneOf(anyPolicy), { ...EVERYTHING, deep: true, back: true }), agrees))

  it('composed policies, on a clock that goes forward', () => holds(traces(composed(), EVERYTHING), agrees))

  it('composed policies that are nearly alike, where ties decide which binds', () =>
    holds(traces(alike, EVERYTHING), agrees))

  it('composed policies, on a clock that jumps both ways', () =>
    holds(traces(composed(3), { ...EVERYTHING, back: true }), agrees))

  it('one policy under a name', () =>
    holds(
      traces(
        anyPolicy.map((p1) => ({ p1 })),
        EVERYTHING,
      ),
      agrees,
    ))
})
