import fc from 'fast-check'
import type { PolicySpecs } from '../oracle/index.ts'
import type { Trace } from './play.ts'
import { type Kind, startsMicros, steps } from './random-steps.ts'

export const EVERYTHING: Kind = { refunds: true, debt: true, plans: true, resets: true, keys: true }

export function traces(
  policies: fc.Arbitrary<PolicySpecs>,
  kind: Kind,
  maxLength?: number,
): fc.Arbitrary<Trace> {
  return fc.record({ policies, startMicros: startsMicros, steps: steps(kind, maxLength) })
}
