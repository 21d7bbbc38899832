import { refund, settle } from '../algorithms/settle.ts'
import { type Clock, nowMicros } from '../clock.ts'
import type { State } from '../policy.ts'
import { chargeAll, outcomeOf, weigh } from '../stores/decide.ts'
import type { Entry, Operation, Outcome, Refund, Store } from '../stores/store.ts'

/** The plainest store there can be, to hold others against: a Map, the pure machines, and nothing is ever cleared away. */
export class ReferenceStore implements Store {
  readonly kind = 'reference'
  readonly clock: Clock
  readonly #states = new Map<string, State>()
  readonly #spent = new Set<string>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  async decide(operation: Operation, entries: readonly Entry[], units: number): Promise<Outcome> {
    const stored = entries.map((entry) => this.#states.get(nameOf(entry)))
    const weighed = weigh(operation, entries, units, stored, nowMicros(this.clock))
    if (weighed.charges) chargeAll(entries, units, weighed)
    entries.forEach((entry, i) => {
      const settled = weighed.settled[i]
      if (settled && (weighed.charges || settled.repaired)) this.#save(entry, settled.state)
    })
    return outcomeOf(operation, entries, units, weighed)
  }

  async refund({ receipt, units, parts }: Refund): Promise<number> {
    if (receipt !== undefined && this.#spent.has(receipt)) return 0
    if (receipt !== undefined) this.#spent.add(receipt)
    const back = parts.map((part) => {
      const settled = settle(part.rule, this.#states.get(nameOf(part)), nowMicros(this.clock))
      const refunded = refund(part.rule, settled, part.mark, units)
      if (settled.repaired || refunded.units > 0) this.#save(part, refunded.state)
      return refunded.units
    })
    return Math.max(...back)
  }

  async reset(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.#states.delete(nameOf(entry))
  }

  async close(): Promise<void> {}

  #save(entry: Entry, state: State | undefined): void {
    if (state) this.#states.set(nameOf(entry), state)
    else this.#states.delete(nameOf(entry))
  }
}

function nameOf({ identity, key }: Entry): string {
  return JSON.stringify([identity, key])
}
