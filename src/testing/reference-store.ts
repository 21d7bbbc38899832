import { type Clock, nowMicros } from '../clock.ts'
import { type Entry, stateName } from '../entry.ts'
import type { State } from '../policy.ts'
import { decide, giveBack, type States } from '../stores/decide.ts'
import type { Operation, Outcome, Refund, Store } from '../stores/store.ts'

/** The plainest store there can be, to hold others against: a Map, the pure machines, and nothing is ever cleared away. */
export class ReferenceStore implements Store {
  readonly kind = 'reference'
  readonly clock: Clock
  readonly #kept = new Map<string, State>()
  readonly #spent = new Set<string>()
  readonly #states: States = {
    load: (entry) => this.#kept.get(stateName(entry)),
    save: (entry, state) => {
      if (state) this.#kept.set(stateName(entry), state)
      else this.#kept.delete(stateName(entry))
    },
    makeRoom: () => {},
  }

  constructor(clock: Clock) {
    this.clock = clock
  }

  async decide(operation: Operation, entries: readonly Entry[], units: number): Promise<Outcome> {
    return decide(this.#states, nowMicros(this.clock), operation, entries, units)
  }

  async refund(refund: Refund): Promise<number> {
    const { receipt } = refund
    if (receipt !== undefined && this.#spent.has(receipt)) return 0
    if (receipt !== undefined) this.#spent.add(receipt)
    return giveBack(this.#states, nowMicros(this.clock), refund)
  }

  async reset(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.#states.save(entry, undefined, false)
  }

  async close(): Promise<void> {}
}
