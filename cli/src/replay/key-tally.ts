import { enlarged } from './enlarged.ts'
import type { KeyIndex } from './key-index.ts'

/** What became of one key. */
export interface KeyTotals {
  readonly key: string
  readonly requests: number
  readonly denied: number
  /** When it was first and last denied, in epoch milliseconds. */
  readonly firstDeniedAtMs: number
  readonly lastDeniedAtMs: number
}

const FIRST_CAPACITY = 1024

/** Counts by key. */
export class KeyTally {
  #requests = new Uint32Array(FIRST_CAPACITY)
  #denied = new Uint32Array(FIRST_CAPACITY)
  #firstDeniedAtMs = new Float64Array(FIRST_CAPACITY)
  #lastDeniedAtMs = new Float64Array(FIRST_CAPACITY)
  #deniedKeys = 0

  /** How many keys were denied at least once. */
  get deniedKeys(): number {
    return this.#deniedKeys
  }

  add(id: number, timeMs: number, allowed: boolean): void {
    while (id >= this.#requests.length) this.#grow()
    this.#requests[id] = (this.#requests[id] ?? 0) + 1
    if (allowed) return
    const before = this.#denied[id] ?? 0
    if (before === 0) {
      this.#deniedKeys++
      this.#firstDeniedAtMs[id] = timeMs
    }
    this.#denied[id] = before + 1
    this.#lastDeniedAtMs[id] = timeMs
  }

  /** The keys denied most, at most `count` of them; among equals, the one that came first. */
  worst(count: number, keys: KeyIndex): KeyTotals[] {
    const top: number[] = []
    for (let id = 0; id < this.#denied.length; id++) {
      const denied = this.#deniedOf(id)
      if (denied === 0 || (top.length === count && denied <= this.#deniedOf(top[count - 1]))) continue
      const place = top.findIndex((other) => this.#deniedOf(other) < denied)
      top.splice(place < 0 ? top.length : place, 0, id)
      if (top.length > count) top.pop()
    }
    return top.map((id) => ({
      key: keys.keyOf(id),
      requests: this.#requests[id] ?? 0,
      denied: this.#deniedOf(id),
      firstDeniedAtMs: this.#firstDeniedAtMs[id] ?? Number.NaN,
      lastDeniedAtMs: this.#lastDeniedAtMs[id] ?? Number.NaN,
    }))
  }

  #deniedOf(id: number | undefined): number {
    return id === undefined ? 0 : (this.#denied[id] ?? 0)
  }

  #grow(): void {
    this.#requests = enlarged(this.#requests)
    this.#denied = enlarged(this.#denied)
    this.#firstDeniedAtMs = enlarged(this.#firstDeniedAtMs)
    this.#lastDeniedAtMs = enlarged(this.#lastDeniedAtMs)
  }
}
