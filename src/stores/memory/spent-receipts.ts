import { StoreError } from '../../errors.ts'
import { type Home, Slots } from './slots.ts'

/** The names of receipts that have given back, each until it is void anyway. */
export class SpentReceipts {
  readonly #max: number
  readonly #home: Home = { slots: new Map() }
  readonly #slots = new Slots<Home>()
  /** The latest end of those that have been forgotten. */
  #forgottenMicros = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
  }

  /** Whether a receipt has given back, or may have, if the clock has been past its end and then went back. */
  has(receipt: string, voidAtMicros: number): boolean {
    return voidAtMicros <= this.#forgottenMicros || this.#home.slots.has(receipt)
  }

  /** @throws StoreError `ERR_HEADGATE_SATURATED` when so many are remembered that a refund could not be told from a second one. */
  add(receipt: string, voidAtMicros: number, nowMicros: number): void {
    for (let i = 0; i < 2; i++) {
      const slot = this.#slots.due(nowMicros)
      if (slot === undefined) break
      this.#forgottenMicros = this.#slots.dueOf(slot)
      this.#slots.remove(slot)
    }
    if (this.#slots.size >= this.#max) {
      throw new StoreError(
        'ERR_HEADGATE_SATURATED',
        `the memory store remembers ${this.#max} spent receipts, so a refund could not be told from a second one; raise maxKeys`,
      )
    }
    this.#slots.add(this.#home, receipt, voidAtMicros)
  }

  clear(): void {
    for (const slot of this.#home.slots.values()) this.#slots.remove(slot)
  }
}
