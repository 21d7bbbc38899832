import { type Check, unitsOf } from './check.ts'
import type { Decision } from './decision.ts'
import { MAX_LIMIT, type Mark } from './policy.ts'
import { type Receipt, writeReceipt } from './receipt.ts'
import { askStore, type Store } from './stores/store.ts'

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

/** What was taken, and where it stands. */
export interface Charge {
  readonly limiter: string
  readonly check: Check
  readonly marks: readonly Mark[]
}

/** How many units a refund asks for: whole, all by default. */
export function refundedUnits(units: unknown): number {
  return units === undefined ? Number.POSITIVE_INFINITY : unitsOf('units', units, Number.MAX_SAFE_INTEGER)
}

/** A reservation on a store; without a charge, one that holds nothing. */
export class HeldReservation<N extends string> implements Reservation<N> {
  readonly decision: Decision<N>
  readonly #store: Store
  readonly #charge: Charge | undefined
  #receipt: Receipt | undefined
  #open = true
  #givenBack = false

  constructor(store: Store, decision: Decision<N>, charge: Charge | undefined) {
    this.#store = store
    this.decision = decision
    this.#charge = charge
  }

  get receipt(): string | undefined {
    if (!this.#charge?.check.cost) return undefined
    this.#receipt ??= this.#writtenDown(this.#charge)
    return writeReceipt(this.#receipt)
  }

  async refund(units?: number): Promise<number> {
    const wanted = refundedUnits(units)
    const charge = this.#close()
    return charge ? this.#giveBack(charge, Math.min(wanted, charge.check.cost)) : 0
  }

  async settle(actualUnits: number): Promise<void> {
    const actual = unitsOf('actualUnits', actualUnits, MAX_LIMIT)
    const charge = this.#close()
    if (!charge) return
    const { entries, cost } = charge.check
    await this.#giveBack(charge, Math.max(0, cost - actual))
    if (actual > cost) await askStore(() => this.#store.decide('charge', entries, actual - cost))
  }

  commit(): void {
    this.#open = false
  }

  /** Before the store is asked: an answer that is lost may have given back, so there is no second try. */
  #close(): Charge | undefined {
    if (!this.#open) return undefined
    this.#open = false
    this.#givenBack = true
    return this.#charge
  }

  /** A charge whose receipt nobody has seen needs no mark in the store when it is given back: a receipt written later is worth nothing. */
  #writtenDown({ limiter, check, marks }: Charge): Receipt {
    return {
      limiter,
      instance: this.#store.instance ?? '',
      id: crypto.randomUUID(),
      units: this.#givenBack ? 0 : check.cost,
      parts: check.entries.map(({ rule, key }, i) => ({
        ...(marks[i] as Mark),
        policy: check.names[i] as string,
        shape: rule.shape,
        limit: rule.limit,
        key,
      })),
    }
  }

  /** With nothing to give back, a receipt that is out there is spent all the same. */
  async #giveBack({ check, marks }: Charge, units: number): Promise<number> {
    if (units === 0 && !this.#receipt) return 0
    const parts = check.entries.map((entry, i) => ({ ...entry, mark: marks[i] as Mark }))
    return askStore(() => this.#store.refund({ receipt: this.#receipt?.id, units, parts }))
  }
}
