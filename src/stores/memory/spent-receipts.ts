import { NEVER } from '../../clock.ts'
import { StoreError } from '../../errors.ts'
import { type Due, ExpiryHeap } from './expiry-heap.ts'

interface Spent extends Due {
  readonly receipt: string
}

/** The names of receipts that have given back, each until it is void anyway. */
export class SpentReceipts {
  readonly #max: number
  readonly #names = new Set<string>()
  readonly #heap = new ExpiryHeap<Spent>()
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
    if (voidAtMicros <= this.#forgottenMicros || this.#names.has(receipt)) return false
    for (let i = 0; i < 2; i++) this.#forgetDue(nowMicros)
    if (this.#names.size >= this.#max) {
      throw new StoreError(
        'ERR_HEADGATE_SATURATED',
        `the memory store is full: it holds ${this.#max} spent receipts and drops none; raise maxKeys`,
      )
    }
    this.#names.add(receipt)
    this.#heap.add({ receipt, dueMicros: voidAtMicros, position: 0 })
    return true
  }

  #forgetDue(nowMicros: number): void {
    const { first } = this.#heap
    if (!first || first.dueMicros > nowMicros) return
    this.#forgottenMicros = first.dueMicros
    this.#names.delete(first.receipt)
    this.#heap.remove(first)
  }
}
