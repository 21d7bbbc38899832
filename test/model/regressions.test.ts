import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import type { PolicySpecs } from './oracle/index.ts'
import { agrees } from './support/agrees.ts'
import type { Step } from './support/random-steps.ts'

/** A trace that the oracle and the library once disagreed on, and what was wrong. The start is text, for JSON has no BigInt. */
interface Regression {
  readonly wrong: string
  readonly policies: PolicySpecs
  readonly startMicros: string
  readonly steps: readonly Step[]
}

const file = new URL('regressions.json', import.meta.url)
const regressions = JSON.parse(readFileSync(file, 'utf8')) as Regression[]

/** To keep a new one: copy the counterexample that a failing property prints, with its start as text. */
describe('traces that once failed', () => {
  for (const { wrong, policies, startMicros, steps } of regressions) {
    it(wrong, () => agrees({ policies, startMicros: BigInt(startMicros), steps }))
  }
})
