import { MAX_COST, unitsUpTo } from './check.ts'
import type { Decision } from './decision.ts'
import type { Reader } from './options.ts'
import { MAX_LIMIT } from './policy.ts'
import { type ReceiptPart, writeReceipt } from './receipt.ts'
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
  /** Keeps the charge as it is: this reservation gives nothing back any more. Its receipt still does, for whoever has it. */
  commit(): void
}

/** How many units a refund asks for: all by default. */
export const refundedUnits: Reader<number> = /* @__PURE__ */ unitsUpTo(MAX_COST, MAX_COST)
const actual = /* @__PURE__ */ unitsUpTo(MAX_LIMIT)

/** A reservation of what a store has decided; `marks` is where the charge stands. */
export function hold<N extends string>(
  store: Store,
  limiter: string,
  decision: Decision<N>,
  askedCost: number,
  marks: readonly EntryMark[],
): Reservation<N> {
  const cost = decision.allowed ? askedCost : 0
  let open = decision.allowed
  let receiptUnits = cost
  /** Named when somebody reads the receipt; a charge whose receipt nobody has seen needs no mark in the store when it is given back. */
  let receiptId: string | undefined

  /** Before the store is asked: an answer that is lost may have given back, so there is no second try. */
  function close(): boolean {
    const wasOpen = open
    open = false
    // A receipt that is written only after its charge was given back is worth nothing.
    if (wasOpen && !receiptId) receiptUnits = 0
    return wasOpen
  }

  /** With nothing to give back, a receipt that is out there is spent all the same. */
  async function giveBack(units: number): Promise<number> {
    if (units === 0 && !receiptId) return 0
    return askStore(() => store.refund({ receipt: receiptId, units, marks }))
  }

  return {
    decision,

    get receipt() {
      if (cost === 0) return undefined
      receiptId ??= crypto.randomUUID()
      return writeReceipt([
        [limiter, store.instance ?? '', receiptId, receiptUnits],
        ...marks.map(
          (mark): ReceiptPart => [
            mark.entry.policy,
            mark.entry.rule.shape,
            mark.entry.key,
            mark.entry.rule.limit,
            mark.generation,
            mark.chargedAtMicros,
            mark.resetAtMicros,
          ],
        ),
      ])
    },

    async refund(units) {
      const wanted = refundedUnits('units', units)
      return close() ? giveBack(Math.min(wanted, cost)) : 0
    },

    async settle(actualUnits) {
      const more = actual('actualUnits', actualUnits) - cost
      if (!close()) return
      await giveBack(Math.max(0, -more))
      if (more > 0) {
        const entries = marks.map(({ entry }) => entry)
        await askStore(() => store.decide('charge', entries, more))
      }
    },

    commit() {
      open = false
    },
  }
}
