import type { Check } from './check.ts'
import { stateName } from './entry.ts'
import type { Take } from './stores/store.ts'

/** One call of `wait`, in line. */
export interface Waiter extends Take {
  readonly lines: readonly string[]
  /** Ends the wait, with a reason. */
  readonly controller: AbortController
  /** Called when nobody is before it in any of its lines, or it has left. */
  turn: () => void
}

/**
 * First come, first served: a line for each state that is waited for. A waiter on several states stands in all their lines, and has its
 * turn when it is first in each. The oldest waiter of all is always first in each of its lines, so the lines never lock each other.
 */
export class WaitQueue {
  readonly #lines = new Map<string, Line>()
  readonly waiters: Set<Waiter> = new Set()

  join({ entries, cost }: Check): Waiter {
    const lines = entries.map(stateName)
    const waiter = { entries, units: cost || 1, lines, controller: new AbortController(), turn: () => {} }
    this.waiters.add(waiter)
    for (const name of lines) {
      const line = this.#lines.get(name) ?? { standing: [], head: 0 }
      this.#lines.set(name, line)
      line.standing.push(waiter)
    }
    return waiter
  }

  leave(waiter: Waiter): void {
    this.waiters.delete(waiter)
    waiter.turn()
    for (const name of waiter.lines) {
      const next = this.#first(name)
      if (!next) this.#lines.delete(name)
      else if (this.isFirst(next)) next.turn()
    }
  }

  isFirst(waiter: Waiter): boolean {
    return waiter.lines.every((name) => this.#first(name) === waiter)
  }

  /** This waiter and those who must go before it, in order: who shares a line with it, or with one who must. */
  upTo(waiter: Waiter): readonly Waiter[] {
    const lines = new Set(waiter.lines)
    const found: Waiter[] = []
    for (const other of [...this.waiters].reverse()) {
      if (!other.lines.some((name) => lines.has(name))) continue
      for (const name of other.lines) lines.add(name)
      found.push(other)
    }
    return found.reverse()
  }

  /** The first of a line that has not left; who has is stepped over once, and the room is freed by and by. */
  #first(name: string): Waiter | undefined {
    const line = this.#lines.get(name)
    if (!line) return undefined
    const { standing } = line
    while (line.head < standing.length && !this.waiters.has(standing[line.head] as Waiter)) line.head++
    if (line.head * 2 > standing.length) {
      standing.splice(0, line.head)
      line.head = 0
    }
    return standing[line.head]
  }
}

/** Waiters in the order in which they came; those before `head` have left, and others may have. */
interface Line {
  readonly standing: Waiter[]
  head: number
}
