import { type Clock, NEVER, nowMicros, systemClock } from '../../clock.ts'
import type { Entry } from '../../entry.ts'
import { PolicyError, StoreError } from '../../errors.ts'
import { Emitter } from '../../events.ts'
import { having, readOptions, whole } from '../../options.ts'
import { decide, giveBack } from '../decide.ts'
import { forecast } from '../forecast.ts'
import type { Operation, Outcome, Refund, SyncStore, Take } from '../store.ts'
import { SpentReceipts } from './spent-receipts.ts'
import { MemoryStates } from './states.ts'

/** Options of {@link MemoryStore}. */
export interface MemoryStoreOptions {
  /** The most states at once, 1 to 16,000,000 (what a Map holds); default 1,000,000. As many spent receipts are remembered besides. */
  readonly maxKeys?: number
  /** The clock that decides; by default the wall clock, anchored once and monotonic from then on. */
  readonly clock?: Clock
}

const OPTIONS = {
  maxKeys: /* @__PURE__ */ whole('ERR_HEADGATE_OPTION', 1, 16_000_000, 1_000_000),
  clock: /* @__PURE__ */ having<Clock>('nowMs', 'sleepUntil'),
}
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
  #states: MemoryStates
  #spent: SpentReceipts
  #clock: Clock | undefined
  #instance: string | undefined
  #saturatedAtMicros = -NEVER

  /** @throws PolicyError for an unknown option, a bad `maxKeys` or something that is no clock. */
  constructor(options: MemoryStoreOptions = {}) {
    const { maxKeys, clock } = readOptions('MemoryStore', options, OPTIONS)
    this.maxKeys = maxKeys
    this.#spent = new SpentReceipts(maxKeys)
    this.#states = this.#empty()
    this.#clock = clock
  }

  /** How many states are held, expired ones that nobody has come by included. */
  get size(): number {
    return this.#states.size
  }

  get instance(): string {
    this.#instance ??= crypto.randomUUID()
    return this.#instance
  }

  /** Whoever has looked at it goes by it: from then on it is the one clock of this store. */
  get clock(): Clock {
    this.#clock ??= systemClock
    return this.#clock
  }

  /** Takes a limiter's clock as the one that decides. One store has one clock. */
  adoptClock(clock: Clock): void {
    if (this.#clock === clock) return
    if (this.#clock) {
      throw new PolicyError(
        'ERR_HEADGATE_OPTION',
        'clock',
        clock,
        'must be the one that the store has already',
      )
    }
    this.#clock = clock
  }

  async decide(operation: Operation, entries: readonly Entry[], units: number): Promise<Outcome> {
    return this.decideSync(operation, entries, units)
  }

  decideSync(operation: Operation, entries: readonly Entry[], units: number): Outcome {
    const now = nowMicros(this.clock)
    const outcome = decide(this.#states, now, operation, entries, units)
    this.#states.sweep(now)
    return outcome
  }

  forecastSync(takes: readonly Take[]): number {
    return forecast(this.#states, nowMicros(this.clock), takes)
  }

  async refund(refund: Refund): Promise<number> {
    const { receipt, marks } = refund
    const now = nowMicros(this.clock)
    if (receipt !== undefined && !this.#spent.spend(receipt, voidAt(marks), now)) return 0
    return giveBack(this.#states, now, refund)
  }

  async reset(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.#states.save(entry, undefined, false)
  }

  /** Forgets everything. */
  async close(): Promise<void> {
    this.#states = this.#empty()
    this.#spent = new SpentReceipts(this.maxKeys)
  }

  #empty(): MemoryStates {
    return new MemoryStates(this.maxKeys, (nowMicros) => this.#saturated(nowMicros))
  }

  #saturated(nowMicros: number): StoreError {
    const { kind, maxKeys } = this
    if (Math.abs(nowMicros - this.#saturatedAtMicros) >= SATURATED_EVERY_MICROS) {
      this.#saturatedAtMicros = nowMicros
      this.events.emit('saturated', { store: kind, maxKeys })
    }
    return new StoreError(
      'ERR_HEADGATE_SATURATED',
      `the memory store is full: it holds ${maxKeys} live states and drops none; raise maxKeys`,
    )
  }
}

/** From here on no part of a receipt can give anything back, so that it need not be remembered. */
function voidAt(marks: Refund['marks']): number {
  return Math.max(
    ...marks.flatMap(({ entry, chargedAtMicros, resetAtMicros }) => [
      resetAtMicros,
      chargedAtMicros + 2 * entry.rule.spanMicros,
    ]),
  )
}
