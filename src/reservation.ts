import { MAX_COST, unitsUpTo } from './check.ts'
import type { Decision } from './decision.ts'
import type { Reader } from './options.ts'
import { MAX_LIMIT } from './policy.ts'
import { writeReceipt } from './receipt.ts'
import { askStore, type EntryMark, type Store } from './stores/store.ts'

/** A charge that may still be given back, in whole or in part; or a denial, which has nothing to give back. */
export interface Reservation<N extends string = string> {
  readonly decision: Decision<N>
  /** Opaque text that outlives the process; undefined on a denial and for a cost of 0. Keep it where it can't be forged. */
  readonly receipt: string | undefined
  /**
   * Gives units back, all by default. Once: what was refunded, settled or committed gives nothing more.
   *
   * @returns How many came back; of several policies, the most of any. Fewer than asked for where they have come back by themselves.
   */
  refund(units?: number): Promise<number>
  /** Says what it cost in the end: refunds the rest, or charges the difference. Once. */
  settle(actualUnits: number): Promise<void>
  /** Keeps the charge as it is; this reservation gives nothing back any more. */
  commit(): void
}

/** How many units a refund asks for: all by default. */
export const refundedUnits: Reader<number> = /* @__PURE__ */ unitsUpTo(MAX_COST, MAX_COST)
const actual = /* @__PURE__ */ unitsUpTo(MAX_LIMIT)

/** A reservation on a store. */
export class HeldReservation<N extends string> implements Reservation<N> {
  readonly decision: Decision<N>
  readonly #store: Store
  readonly #limiter: string
  readonly #cost: number
  readonly #marks: readonly EntryMark[]
  /** Named when somebody reads the receipt; a charge whose receipt nobody has seen needs no mark in the store when it is given back. */
  #receiptId: string | undefined
  #receiptUnits: number
  #open: boolean

  constructor(
    store: Store,
    limiter: string,
    decision: Decision<N>,
    cost: number,
    marks: readonly EntryMark[],
  ) {
    this.#store = store
    this.#limiter = limiter
    this.decision = decision
    this.#open = decision.allowed
    this.#cost = decision.allowed ? cost : 0
    this.#receiptUnits = this.#cost
    this.#marks = marks
  }

  get receipt(): string | undefined {
    if (this.#cost === 0) return undefined
    this.#receiptId ??= crypto.randomUUID()
    return writeReceipt({
      limiter: this.#limiter,
      instance: this.#store.instance ?? '',
      id: this.#receiptId,
      units: this.#receiptUnits,
      parts: this.#marks.map(
        ({ entry: { policy, rule, key }, generation, chargedAtMicros, resetAtMicros }) => [
          policy,
          rule.shape,
          key,
          rule.limit,
          generation,
          chargedAtMicros,
          resetAtMicros,
        ],
      ),
    })
  }

  async refund(units?: number): Promise<number> {
    const wanted = refundedUnits('units', units)
    return this.#close() ? this.#giveBack(Math.min(wanted, this.#cost)) : 0
  }

  async settle(actualUnits: number): Promise<void> {
    const more = actual('actualUnits', actualUnits) - this.#cost
    if (!this.#close()) return
    await this.#giveBack(Math.max(0, -more))
    if (more > 0) {
      const entries = this.#marks.map(({ entry }) => entry)
      await askStore(() => this.#store.decide('charge', entries, more))
    }
  }

  commit(): void {
    this.#open = false
  }

  /** Before the store is asked: an answer that is lost may have given back, so there is no second try. */
  #close(): boolean {
    const wasOpen = this.#open
    this.#open = false
    // A receipt that is written only after its charge was given back is worth nothing.
    if (wasOpen && !this.#receiptId) this.#receiptUnits = 0
    return wasOpen
  }

  /** With nothing to give back, a receipt that is out there is spent all the same. */
  async #giveBack(units: number): Promise<number> {
    if (units === 0 && !this.#receiptId) return 0
    return askStore(() => this.#store.refund({ receipt: this.#receiptId, units, marks: this.#marks }))
  }
}
