import { NEVER } from '../../clock.ts'
import { StoreError } from '../../errors.ts'
import { type Home, Slots } from './slots.ts'

/** The names of receipts that have given back, each until it is void anyway. */
export class SpentReceipts {
  readonly #max: number
  readonly #home: Home = { slots: new Map(), place: 0 }
  readonly #slots = new Slots<Home>()
  /** The latest end of those that have been forgotten. */
  #forgottenMicros = -NEVER

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Whether this is the first use of a receipt; if so, there is no second. After the clock has been past its end it may be one.
   *
   * @throws StoreError `ERR_HEADGATE_SATURATED` when so many are remembered that a refund could not be told from a second one.
   */
  spend(receipt: string, voidAtMicros: number, nowMicros: number): boolean {
    if (voidAtMicros <= this.#forgottenMicros || this.#home.slots.has(receipt)) return false
    for (let i = 0; i < 2; i++) this.#forgetDue(nowMicros)
    if (this.#slots.size >= this.#max) {
      throw new StoreError(
        'ERR_HEADGATE_SATURATED',
        `the memory store is full: it holds ${this.#max} spent receipts and drops none; raise maxKeys`,
      )
    }
    this.#slots.add(this.#home, receipt, voidAtMicros)
    return true
  }

  #forgetDue(nowMicros: number): void {
    const slot = this.#slots.due(nowMicros)
    if (slot === undefined) return
    this.#forgottenMicros = this.#slots.dueOf(slot)
    this.#slots.remove(slot)
  }
}
