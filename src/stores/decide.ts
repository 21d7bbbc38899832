import { charge, markOf, type Reading, read, type Settled, settle } from '../algorithms/settle.ts'
import type { Mark, State } from '../policy.ts'
import type { Entry, Operation, Outcome } from './store.ts'

/** A check that is decided, with nothing charged yet. */
export interface Weighed {
  readonly nowMicros: number
  readonly settled: readonly Settled[]
  readonly readings: readonly Reading[]
  readonly admitted: boolean
  readonly charges: boolean
}

/** Decides a check over the stored states of its entries; whatever was `repaired` must be stored, even if nothing is charged. */
export function weigh(
  operation: Operation,
  entries: readonly Entry[],
  units: number,
  stored: readonly (State | undefined)[],
  nowMicros: number,
): Weighed {
  const settled = entries.map((entry, i) => settle(entry.rule, stored[i], nowMicros))
  const readings = entries.map((entry, i) => read(entry.rule, settled[i] as Settled, nowMicros, units))
  const admitted = readings.every((reading) => reading.admitted)
  const charges = units > 0 && (operation === 'charge' || (operation === 'take' && admitted))
  return { nowMicros, settled, readings, admitted, charges }
}

/** Charges every entry of a weighed check, and tells the numbers after it. The settled states are spent. */
export function apply(
  operation: Operation,
  entries: readonly Entry[],
  units: number,
  weighed: Weighed,
): { readonly states: readonly (State | undefined)[]; readonly outcome: Outcome } {
  const { nowMicros } = weighed
  const states = entries.map((entry, i) => charge(entry.rule, weighed.settled[i] as Settled, units))
  // After a take the same cost need not fit again, and it was admitted; after a charge the question is whether one more unit would be.
  const readings = entries.map((entry, i) => {
    const { atMicros } = weighed.settled[i] as Settled
    const reading = read(entry.rule, { state: states[i], atMicros, repaired: false }, nowMicros, 1)
    return operation === 'take' ? { ...reading, admitted: true, retryAtMicros: nowMicros } : reading
  })
  if (operation === 'charge') {
    return {
      states,
      outcome: { nowMicros, admitted: readings.every((reading) => reading.admitted), readings },
    }
  }
  // Admitted, a take holds something: its cost was within the limit.
  const marks: Mark[] = entries.map((entry, i) => markOf(entry.rule, states[i] as State))
  return { states, outcome: { nowMicros, admitted: true, readings, marks } }
}
