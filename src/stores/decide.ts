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

/** Decides a check, all or nothing: nearly always of one entry, which needs no lists. */
export function decide(
  states: States,
  nowMicros: number,
  operation: Operation,
  entries: readonly Entry[],
  units: number,
): Outcome {
  const readings =
    entries.length === 1
      ? [decideOne(states, nowMicros, operation, entries, units)]
      : decideAll(states, nowMicros, operation, entries, units)
  return { nowMicros, readings }
}

function decideOne(
  states: States,
  nowMicros: number,
  operation: Operation,
  entries: readonly Entry[],
  units: number,
): Reading {
  const entry = entries[0] as Entry
  const one = settleIn(states, entry, nowMicros)
  const charges = units > 0 && hasRoom(operation, entry, one, units)
  if (charges) {
    states.makeRoom(entries, nowMicros)
    chargeIn(states, entry, one, units)
  }
  return read(entry, one, nowMicros, nextCost(operation, charges, units))
}

function decideAll(
  states: States,
  nowMicros: number,
  operation: Operation,
  entries: readonly Entry[],
  units: number,
): Reading[] {
  const settled = entries.map((entry) => settleIn(states, entry, nowMicros))
  const charges =
    units > 0 && entries.every((entry, i) => hasRoom(operation, entry, settled[i] as Settled, units))
  if (charges) states.makeRoom(entries, nowMicros)
  const next = nextCost(operation, charges, units)
  return entries.map((entry, i) => {
    const one = settled[i] as Settled
    if (charges) chargeIn(states, entry, one, units)
    return read(entry, one, nowMicros, next)
  })
}

function settleIn(states: States, entry: Entry, nowMicros: number): Settled {
  const one = settle(entry.rule, states.load(entry), nowMicros)
  if (one.repaired) states.save(entry, one.state, false)
  return one
}

function hasRoom(operation: Operation, { rule }: Entry, { used }: Settled, units: number): boolean {
  return operation === 'take' ? used + units <= rule.limit : operation === 'charge'
}

function chargeIn(states: States, entry: Entry, one: Settled, units: number): void {
  charge(entry.rule, one, units)
  states.save(entry, one.state, true)
}

/** The cost that is asked about: what a take charged it admitted; after a charge it is one more unit, and of nothing too. */
function nextCost(operation: Operation, charges: boolean, units: number): number {
  return operation === 'charge' ? 1 : charges ? 0 : units || 1
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
