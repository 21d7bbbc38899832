import { expiresAt, refund, settle } from '../../algorithms/settle.ts'
import { type Clock, nowMicros, systemClock } from '../../clock.ts'
import { PolicyError, StoreError } from '../../errors.ts'
import { Emitter } from '../../events.ts'
import { type CountedState, checkFields, type Rule, type State, whole } from '../../policy.ts'
import { chargeAll, outcomeOf, weigh } from '../decide.ts'
import { forecast } from '../forecast.ts'
import type { Entry, Operation, Outcome, Refund, SyncStore, Take } from '../store.ts'
import { type Home, Slots } from './slots.ts'
import { SpentReceipts } from './spent-receipts.ts'

/** Options of {@link MemoryStore}. */
export interface MemoryStoreOptions {
  /** The most states at once, 1 to 16,000,000 (what a Map holds); default 1,000,000. As many spent receipts are remembered besides. */
  readonly maxKeys?: number
  /** The clock that decides; by default the wall clock, anchored once and monotonic from then on. */
  readonly clock?: Clock
}

/** All states of one identity: they have one shape, so any rule of theirs can tell when they expire. */
interface Table extends Home {
  readonly identity: string
  readonly rule: Rule
}

/** How many expired states each call clears away, so that memory follows the traffic down with no timer. */
const SWEEP = 4
const SATURATED_EVERY_MICROS = 1_000_000

/**
 * States in this process's memory: bounded, synchronous, exact.
 *
 * An expired state goes away when its key is asked for, when the store is full, or when any call finds it due (four a call); there are no
 * timers. A live state is never dropped to make room: when `maxKeys` live states are held, a check that needs one more fails with a
 * StoreError `ERR_HEADGATE_SATURATED`, and the event `saturated` says so.
 */
export class MemoryStore implements SyncStore {
  readonly kind = 'memory'
  readonly sync = true
  readonly events: Emitter = new Emitter()
  readonly maxKeys: number
  readonly #slots = new Slots<Table>()
  readonly #tables = new Map<string, Table>()
  readonly #spent: SpentReceipts
  #words = new Float64Array(3 * 16)
  /** States that are not of constant size. */
  readonly #states: (State | undefined)[] = []
  #clock: Clock | undefined
  #instance: string | undefined
  #saturatedAtMicros = Number.NEGATIVE_INFINITY

  /** @throws PolicyError for an unknown option, a bad `maxKeys` or something that is no clock. */
  constructor(options: MemoryStoreOptions = {}) {
    checkFields(options, 'MemoryStore', ['maxKeys', 'clock'])
    this.maxKeys = whole('ERR_HEADGATE_OPTION', 'maxKeys', options.maxKeys ?? 1_000_000, 1, 16_000_000)
    this.#spent = new SpentReceipts(this.maxKeys)
    if (options.clock !== undefined) this.adoptClock(options.clock)
  }

  /** How many states are held, expired ones that nobody has come by included. */
  get size(): number {
    return this.#slots.size
  }

  get instance(): string {
    this.#instance ??= crypto.randomUUID()
    return this.#instance
  }

  get clock(): Clock {
    return this.#clock ?? systemClock
  }

  /** Takes a limiter's clock as the one that decides. One store has one clock. */
  adoptClock(clock: Clock): void {
    if (this.#clock === clock) return
    if (this.#clock || this.size > 0) {
      throw new PolicyError(
        'ERR_HEADGATE_OPTION',
        'clock',
        clock,
        'must be the clock of the store, which already has another',
      )
    }
    this.#clock = clock
  }

  async decide(operation: Operation, entries: readonly Entry[], units: number): Promise<Outcome> {
    return this.decideSync(operation, entries, units)
  }

  decideSync(operation: Operation, entries: readonly Entry[], units: number): Outcome {
    const now = nowMicros(this.clock)
    const stored: (State | undefined)[] = []
    for (const entry of entries) stored.push(this.#load(entry))
    const weighed = weigh(operation, entries, units, stored, now)
    for (let i = 0; i < entries.length; i++) {
      if (weighed.settled[i]?.repaired) this.#save(entries[i] as Entry, weighed.settled[i]?.state, false)
    }
    if (weighed.charges) {
      this.#makeRoom(entries, now)
      chargeAll(entries, units, weighed)
      for (let i = 0; i < entries.length; i++)
        this.#save(entries[i] as Entry, weighed.settled[i]?.state, true)
    }
    this.#sweep(now)
    return outcomeOf(operation, entries, units, weighed)
  }

  forecastSync(takes: readonly Take[]): number {
    return forecast(takes, nowMicros(this.clock), (entry) => this.#load(entry))
  }

  async refund({ receipt, units, parts }: Refund): Promise<number> {
    const now = nowMicros(this.clock)
    if (receipt !== undefined) {
      const end = voidAt(parts)
      if (this.#spent.has(receipt, end)) return 0
      this.#spent.add(receipt, end, now)
    }
    let back = 0
    for (const part of parts) {
      const settled = settle(part.rule, this.#load(part), now)
      const refunded = refund(part.rule, settled, part.mark, units)
      if (settled.repaired || refunded.units > 0) this.#save(part, refunded.state, false)
      back = Math.max(back, refunded.units)
    }
    return back
  }

  async reset(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.#save(entry, undefined, false)
  }

  /** Forgets everything. */
  async close(): Promise<void> {
    for (const table of this.#tables.values()) for (const slot of table.slots.values()) this.#forget(slot)
    this.#spent.clear()
  }

  #slotOf(entry: Entry): number | undefined {
    return this.#tables.get(entry.identity)?.slots.get(entry.key)
  }

  #load(entry: Entry): State | undefined {
    const slot = this.#slotOf(entry)
    return slot === undefined ? undefined : this.#read(entry.rule, slot)
  }

  #read(rule: Rule, slot: number): State {
    if (rule.machine.copy) return this.#states[slot] as State
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

  /** Stores a state, or that there is none. What was charged expires no earlier than before; what was not charged may. */
  #save(entry: Entry, state: State | undefined, charged: boolean): void {
    const found = this.#slotOf(entry)
    if (!state) {
      if (found !== undefined) this.#forget(found)
      return
    }
    const { rule } = entry
    const slot = found ?? this.#slots.add(this.#table(entry), entry.key, expiresAt(rule, state))
    // Due too early is found out when it comes; due too late would keep room that is free.
    if (!charged) this.#slots.hasten(slot, expiresAt(rule, state))
    this.#write(rule, slot, state)
  }

  #write(rule: Rule, slot: number, state: State): void {
    if (rule.machine.copy) {
      this.#states[slot] = state
      return
    }
    if (3 * slot >= this.#words.length) {
      const words = new Float64Array(2 * this.#words.length)
      words.set(this.#words)
      this.#words = words
    }
    const { at, used, rest, generation } = state as CountedState
    this.#words[3 * slot] = at
    this.#words[3 * slot + 1] = used
    // The rest is below 2⁴⁵, so the generation fits behind it.
    this.#words[3 * slot + 2] = rest * 256 + generation
  }

  #table(entry: Entry): Table {
    const known = this.#tables.get(entry.identity)
    if (known) return known
    const table: Table = { identity: entry.identity, rule: entry.rule, slots: new Map() }
    this.#tables.set(entry.identity, table)
    return table
  }

  #forget(slot: number): void {
    const table = this.#slots.homeOf(slot)
    this.#slots.remove(slot)
    if (table.rule.machine.copy) this.#states[slot] = undefined
    if (table.slots.size === 0) this.#tables.delete(table.identity)
  }

  #sweep(nowMicros: number): void {
    for (let i = 0; i < SWEEP && this.#clearDue(nowMicros); i++);
  }

  /** Looks at the state that is due first; false if none is. */
  #clearDue(nowMicros: number): boolean {
    const slot = this.#slots.due(nowMicros)
    if (slot === undefined) return false
    const { rule } = this.#slots.homeOf(slot)
    const due = expiresAt(rule, this.#read(rule, slot))
    if (due <= nowMicros) this.#forget(slot)
    else this.#slots.postpone(slot, due)
    return true
  }

  /** Makes sure that each entry has a place or can have one: expired states go first, live ones never. */
  #makeRoom(entries: readonly Entry[], nowMicros: number): void {
    if (this.size + entries.length <= this.maxKeys) return
    const missing = (): number => entries.filter((entry) => this.#slotOf(entry) === undefined).length
    while (this.size + missing() > this.maxKeys) {
      if (!this.#clearDue(nowMicros)) throw this.#saturated(nowMicros)
    }
  }

  #saturated(nowMicros: number): StoreError {
    if (Math.abs(nowMicros - this.#saturatedAtMicros) >= SATURATED_EVERY_MICROS) {
      this.#saturatedAtMicros = nowMicros
      this.events.emit('saturated', { store: this.kind, maxKeys: this.maxKeys })
    }
    return new StoreError(
      'ERR_HEADGATE_SATURATED',
      `the memory store holds ${this.maxKeys} live states and drops none of them, so a new key can't be counted; raise maxKeys`,
    )
  }
}

/** From here on no part of a receipt can give anything back, so that it need not be remembered. */
function voidAt(parts: Refund['parts']): number {
  return Math.max(
    ...parts.map(({ rule, mark }) =>
      Math.max(mark.resetAtMicros, mark.chargedAtMicros + 2 * rule.spanMicros),
    ),
  )
}
