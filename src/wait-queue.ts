import type { Check } from './check.ts'
import type { Take } from './stores/store.ts'

/** One call of `wait`, in line. */
export interface Waiter extends Take {
  readonly lines: readonly string[]
  /** Called when nobody is before it in any of its lines. */
  turn: () => void
}

/**
 * First come, first served: a line for each state that is waited for. A waiter on several states stands in all their lines, and has its
 * turn when it is first in each. The oldest waiter of all is always first in each of its lines, so the lines never lock each other.
 */
export class WaitQueue {
  readonly #lines = new Map<string, Set<Waiter>>()
  readonly #waiters = new Set<Waiter>()

  get size(): number {
    return this.#waiters.size
  }

  /** The waiter that a check would be. */
  static waiter({ entries, cost }: Check): Waiter {
    const lines = entries.map((entry) => JSON.stringify([entry.identity, entry.key]))
    return { entries, units: cost || 1, lines, turn: () => {} }
  }

  join(waiter: Waiter): void {
    this.#waiters.add(waiter)
    for (const name of waiter.lines) {
      const line = this.#lines.get(name) ?? new Set()
      this.#lines.set(name, line)
      line.add(waiter)
    }
  }

  leave(waiter: Waiter): void {
    this.#waiters.delete(waiter)
    for (const name of waiter.lines) {
      const line = this.#lines.get(name)
      line?.delete(waiter)
      const [next] = line ?? []
      if (!next) this.#lines.delete(name)
      else if (this.isFirst(next)) next.turn()
    }
  }

  isFirst(waiter: Waiter): boolean {
    return waiter.lines.every((name) => {
      const [first] = this.#lines.get(name) ?? []
      return first === waiter
    })
  }

  /** Those who must go before this one, in order: who shares a line with it, or with one who must. */
  before(waiter: Waiter): readonly Waiter[] {
    const lines = new Set(waiter.lines)
    const found: Waiter[] = []
    for (const other of [...this.#waiters].reverse()) {
      if (other === waiter || !other.lines.some((name) => lines.has(name))) continue
      for (const name of other.lines) lines.add(name)
      found.push(other)
    }
    return found.reverse()
  }
}
