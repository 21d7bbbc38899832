import { charge, type Reading, read, refund, type Settled, settle } from '../algorithms/settle.ts'
import type { Entry } from '../entry.ts'
import type { State } from '../policy.ts'
import type { Operation, Outcome, Refund } from './store.ts'

/** Where states are kept. A state is handed over: what is loaded may be changed, and is saved again if it was. */
export interface States {
  load(entry: Entry): State | undefined
  /** Keeps a state, or that there is none. What was charged ends no earlier than before; what was not may. */
  save(entry: Entry, state: State | undefined, charged: boolean): void
  /** Makes sure that each entry has a place or can have one. @throws StoreError where it can't. */
  makeRoom(entries: readonly Entry[], nowMicros: number): void
}

/** Decides a check over several states, all or nothing. Plain loops: every decision goes through here, nearly always with one entry. */
export function decide(
  states: States,
  nowMicros: number,
  operation: Operation,
  entries: readonly Entry[],
  units: number,
): Outcome {
  // Nothing is a question: what one unit would be told.
  const cost = units || 1
  const settled: Settled[] = []
  let charges = units > 0 && operation !== 'peek'
  for (const entry of entries) {
    const one = settle(entry.rule, states.load(entry), nowMicros)
    if (one.repaired) states.save(entry, one.state, false)
    if (operation === 'take' && one.used + cost > entry.rule.limit) charges = false
    settled.push(one)
  }
  if (charges) states.makeRoom(entries, nowMicros)
  // What a take charged it admitted; after a charge the question is whether one more unit would be.
  const next = operation === 'charge' ? 1 : charges ? 0 : cost
  const readings: Reading[] = []
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Entry
    const one = settled[i] as Settled
    if (charges) {
      charge(entry.rule, one, units)
      states.save(entry, one.state, true)
    }
    readings.push(read(entry, one, nowMicros, next))
  }
  return { nowMicros, readings }
}

/** Gives a charge back, as far as it is still in use. @returns How many units came back, the most of any state. */
export function giveBack(states: States, nowMicros: number, { units, marks }: Refund): number {
  let most = 0
  for (const mark of marks) {
    const { entry } = mark
    const settled = settle(entry.rule, states.load(entry), nowMicros)
    const back = refund(entry.rule, settled, mark, units)
    if (settled.repaired || back > 0) states.save(entry, settled.state, false)
    most = Math.max(most, back)
  }
  return most
}
