import { expiresAt } from '../../algorithms/settle.ts'
import type { Entry } from '../../entry.ts'
import type { Rule, State } from '../../policy.ts'
import type { States } from '../decide.ts'
import { type Due, ExpiryHeap } from './expiry-heap.ts'

/** All states of one identity: they have one shape, so any rule of theirs can tell when they expire. */
interface Table {
  readonly identity: string
  readonly rule: Rule
  readonly places: Map<string, Place>
}

/** A state, and the way back to its name. */
interface Place extends Due {
  readonly table: Table
  readonly key: string
  state: State
}

/** How many expired states each sweep clears away, so that memory follows the traffic down with no timer. */
const SWEEP = 4

/** States by identity and key, at most so many; `full` says what happens when all that are held are live. */
export class MemoryStates implements States {
  readonly #tables = new Map<string, Table>()
  readonly #heap = new ExpiryHeap<Place>()
  readonly #max: number
  readonly #full: (nowMicros: number) => Error

  constructor(max: number, full: (nowMicros: number) => Error) {
    this.#max = max
    this.#full = full
  }

  get size(): number {
    return this.#heap.size
  }

  load(entry: Entry): State | undefined {
    return this.#place(entry)?.state
  }

  save(entry: Entry, state: State | undefined, charged: boolean): void {
    const { identity, key, rule } = entry
    const place = this.#place(entry)
    if (!state) {
      if (place) this.#forget(place)
    } else if (place) {
      // In place, for what is replaced at each charge has grown old before it is garbage.
      if (place.state !== state) Object.assign(place.state, state)
      // Due too early is found out when it comes; due too late would keep room that is free.
      if (!charged) this.#heap.move(place, Math.min(place.dueMicros, expiresAt(rule, state)))
    } else {
      const table = this.#tables.get(identity) ?? { identity, rule, places: new Map() }
      const added = { table, key, state, dueMicros: expiresAt(rule, state), position: 0 }
      this.#tables.set(identity, table)
      table.places.set(key, added)
      this.#heap.add(added)
    }
  }

  /** Expired states go first, live ones never. */
  makeRoom(entries: readonly Entry[], nowMicros: number): void {
    if (this.size + entries.length <= this.#max) return
    const missing = (): number => entries.filter((entry) => !this.#place(entry)).length
    while (this.size + missing() > this.#max) {
      if (!this.#clearDue(nowMicros)) throw this.#full(nowMicros)
    }
  }

  sweep(nowMicros: number): void {
    for (let i = 0; i < SWEEP && this.#clearDue(nowMicros); i++);
  }

  clear(): void {
    while (this.#clearDue(Number.POSITIVE_INFINITY));
  }

  /** Looks at the state that is due first; false if none is. */
  #clearDue(nowMicros: number): boolean {
    const place = this.#heap.first
    if (!place || place.dueMicros > nowMicros) return false
    const dueMicros = expiresAt(place.table.rule, place.state)
    if (dueMicros <= nowMicros) this.#forget(place)
    else this.#heap.move(place, dueMicros)
    return true
  }

  #forget(place: Place): void {
    const { identity, places } = place.table
    this.#heap.remove(place)
    places.delete(place.key)
    if (places.size === 0) this.#tables.delete(identity)
  }

  #place({ identity, key }: Entry): Place | undefined {
    return this.#tables.get(identity)?.places.get(key)
  }
}
