import { enlarged } from './enlarged.ts'

/** What became of one key. */
export interface KeyTotals {
  readonly key: string
  readonly requests: number
  readonly denied: number
  /** When it was first and last denied, in epoch milliseconds; NaN if never. */
  readonly firstDeniedAtMs: number
  readonly lastDeniedAtMs: number
}

const FIRST_CAPACITY = 1024

/** Counts by key. A key is a small number here, and its counts stand in arrays: a log may hold millions of keys. */
export class KeyTally {
  readonly #ids = new Map<string, number>()
  readonly #keys: string[] = []
  #requests = new Uint32Array(FIRST_CAPACITY)
  #denied = new Uint32Array(FIRST_CAPACITY)
  #firstDeniedAtMs = new Float64Array(FIRST_CAPACITY)
  #lastDeniedAtMs = new Float64Array(FIRST_CAPACITY)
  #deniedKeys = 0

  get size(): number {
    return this.#keys.length
  }

  /** How many keys were denied at least once. */
  get deniedKeys(): number {
    return this.#deniedKeys
  }

  /** The number that stands for a key, given out in order. */
  idOf(key: string): number {
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#keys.length
    this.#ids.set(key, id)
    this.#keys.push(key)
    if (id === this.#requests.length) this.#grow()
    return id
  }

  keyOf(id: number): string {
    return this.#keys[id] ?? ''
  }

  add(id: number, timeMs: number, allowed: boolean): void {
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
  worst(count: number): KeyTotals[] {
    const top: number[] = []
    for (let id = 0; id < this.#keys.length; id++) {
      const denied = this.#deniedOf(id)
      if (denied === 0 || (top.length === count && denied <= this.#deniedOf(top[count - 1]))) continue
      const place = top.findIndex((other) => this.#deniedOf(other) < denied)
      top.splice(place < 0 ? top.length : place, 0, id)
      if (top.length > count) top.pop()
    }
    return top.map((id) => this.#totals(id))
  }

  #deniedOf(id: number | undefined): number {
    return id === undefined ? 0 : (this.#denied[id] ?? 0)
  }

  #totals(id: number): KeyTotals {
    const denied = this.#deniedOf(id)
    return {
      key: this.keyOf(id),
      requests: this.#requests[id] ?? 0,
      denied,
      firstDeniedAtMs: denied > 0 ? (this.#firstDeniedAtMs[id] ?? Number.NaN) : Number.NaN,
      lastDeniedAtMs: denied > 0 ? (this.#lastDeniedAtMs[id] ?? Number.NaN) : Number.NaN,
    }
  }

  #grow(): void {
    this.#requests = enlarged(this.#requests)
    this.#denied = enlarged(this.#denied)
    this.#firstDeniedAtMs = enlarged(this.#firstDeniedAtMs)
    this.#lastDeniedAtMs = enlarged(this.#lastDeniedAtMs)
  }
}
