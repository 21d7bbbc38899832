import { expiresAt } from '../../algorithms/settle.ts'
import type { Entry } from '../../entry.ts'
import type { CountedState, Rule, State } from '../../policy.ts'
import type { States } from '../decide.ts'
import { reaching } from './columns.ts'
import { type Home, Slots } from './slots.ts'

/** All states of one identity: they have one shape, so any rule of theirs can tell when they expire. */
interface Table extends Home {
  readonly identity: string
  readonly rule: Rule
}

/** How many expired states each sweep clears away, so that memory follows the traffic down with no timer. */
const SWEEP = 4

/** States by identity and key, at most so many; `full` says what happens when all that are held are live. */
export class MemoryStates implements States {
  readonly #tables = new Map<string, Table>()
  readonly #slots = new Slots<Table>()
  /** Three numbers a slot: an object a state would take more than twice the memory. */
  #words = new Float64Array(3 * 16)
  /** The entry that was looked up last, and where it is: what is loaded is mostly saved next. */
  #entry: Entry | undefined
  #slot: number | undefined
  #lastTable: Table | undefined
  /** States that are more than numbers. */
  readonly #whole: (State | undefined)[] = []
  readonly #max: number
  readonly #full: (nowMicros: number) => Error

  constructor(max: number, full: (nowMicros: number) => Error) {
    this.#max = max
    this.#full = full
  }

  get size(): number {
    return this.#slots.size
  }

  load(entry: Entry): State | undefined {
    const slot = this.#slotOf(entry)
    return slot === undefined ? undefined : this.#read(entry.rule, slot)
  }

  save(entry: Entry, state: State | undefined, charged: boolean): void {
    const found = this.#slotOf(entry)
    if (!state) {
      if (found !== undefined) this.#forget(found)
      return
    }
    const { rule } = entry
    const slot = found ?? this.#slots.add(this.#table(entry), entry.key, expiresAt(rule, state))
    this.#slot = slot
    // Due too early is found out when it comes; due too late would keep room that is free.
    if (!charged) this.#slots.hasten(slot, expiresAt(rule, state))
    this.#write(rule, slot, state)
  }

  /** Expired states go first, live ones never. */
  makeRoom(entries: readonly Entry[], nowMicros: number): void {
    if (this.size + entries.length <= this.#max) return
    const missing = (): number => entries.filter((entry) => this.#slotOf(entry) === undefined).length
    while (this.size + missing() > this.#max) {
      if (!this.#clearDue(nowMicros)) throw this.#full(nowMicros)
    }
  }

  sweep(nowMicros: number): void {
    for (let i = 0; i < SWEEP && this.#slots.nextDueMicros <= nowMicros; i++) this.#clearDue(nowMicros)
  }

  /** Looks at the state that is due first; false if none is. */
  #clearDue(nowMicros: number): boolean {
    const slot = this.#slots.due(nowMicros)
    if (slot === undefined) return false
    const { rule } = this.#slots.homeOf(slot)
    const dueMicros = expiresAt(rule, this.#read(rule, slot))
    if (dueMicros <= nowMicros) this.#forget(slot)
    else this.#slots.postpone(slot, dueMicros)
    return true
  }

  #slotOf(entry: Entry): number | undefined {
    if (entry !== this.#entry) {
      this.#entry = entry
      this.#slot = this.#tableOf(entry.identity)?.slots.get(entry.key)
    }
    return this.#slot
  }

  #tableOf(identity: string): Table | undefined {
    if (this.#lastTable?.identity !== identity) this.#lastTable = this.#tables.get(identity)
    return this.#lastTable
  }

  #table({ identity, rule }: Entry): Table {
    const found = this.#tableOf(identity)
    if (found) return found
    const table = { identity, rule, slots: new Map(), place: 0 }
    this.#tables.set(identity, table)
    this.#lastTable = table
    return table
  }

  #forget(slot: number): void {
    const { identity, slots } = this.#slots.homeOf(slot)
    this.#slots.remove(slot)
    if (this.#whole[slot]) this.#whole[slot] = undefined
    if (slots.size === 0) this.#tables.delete(identity)
    this.#entry = this.#lastTable = undefined
  }

  #read({ machine }: Rule, slot: number): State {
    if (machine.whole) return this.#whole[slot] as State
    const words = this.#words
    const packed = words[3 * slot + 2] as number
    const rest = Math.floor(packed / 256)
    const state: CountedState = {
      at: words[3 * slot] as number,
      used: words[3 * slot + 1] as number,
      rest,
      generation: packed - rest * 256,
    }
    return state
  }

  #write({ machine }: Rule, slot: number, state: State): void {
    if (machine.whole) {
      this.#whole[slot] = state
      return
    }
    const { at, used, rest, generation } = state as CountedState
    const words = reaching(this.#words, 3 * slot + 2)
    this.#words = words
    words[3 * slot] = at
    words[3 * slot + 1] = used
    // The rest is below 2⁴⁵, so the generation fits behind it.
    words[3 * slot + 2] = rest * 256 + generation
  }
}
