import { charge, type Reading, read, type Settled, settle } from '../algorithms/settle.ts'
import type { State } from '../policy.ts'
import type { Entry, Operation, Outcome } from './store.ts'

// Plain loops, for this is what every decision goes through, and nearly always with one entry.

/** A check that is decided, with nothing charged yet. */
export interface Weighed {
  readonly nowMicros: number
  readonly settled: Settled[]
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
  const settled: Settled[] = []
  let admitted = true
  for (let i = 0; i < entries.length; i++) {
    const { rule } = entries[i] as Entry
    const one = settle(rule, stored[i], nowMicros)
    settled.push(one)
    if (one.used + units > rule.limit) admitted = false
  }
  const charges = units > 0 && (operation === 'charge' || (operation === 'take' && admitted))
  return { nowMicros, settled, charges }
}

/** Charges every entry of a weighed check; the settled states are spent, and stand there charged. */
export function chargeAll(entries: readonly Entry[], units: number, { settled }: Weighed): void {
  for (let i = 0; i < entries.length; i++) {
    settled[i] = charge((entries[i] as Entry).rule, settled[i] as Settled, units)
  }
}

/** The numbers of a check, charged or not. */
export function outcomeOf(
  operation: Operation,
  entries: readonly Entry[],
  units: number,
  { nowMicros, settled, charges }: Weighed,
): Outcome {
  const readings: Reading[] = []
  let admitted = true
  // A take that was charged was admitted; after a charge the question is whether one more unit would be.
  const took = charges && operation === 'take' ? true : undefined
  const cost = operation === 'charge' ? 1 : units
  for (let i = 0; i < entries.length; i++) {
    const reading = read((entries[i] as Entry).rule, settled[i] as Settled, nowMicros, cost, took)
    readings.push(reading)
    if (!reading.admitted) admitted = false
  }
  return { nowMicros, admitted, readings }
}
