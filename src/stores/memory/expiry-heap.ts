import { NEVER } from '../../clock.ts'
import { reaching } from './columns.ts'

/**
 * Slots by the instant at which they are due to be looked at: the earliest is always at hand. A binary heap that knows where each slot
 * stands, so that any slot can be moved or taken out in logarithmic time. 16 bytes a slot.
 */
export class ExpiryHeap {
  #due = new Float64Array(16)
  #heap = new Int32Array(16)
  #position = new Int32Array(16)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The slot that is due first; undefined if there is none. */
  get first(): number | undefined {
    return this.#size > 0 ? this.#heap[0] : undefined
  }

  /** When the first is due; `Infinity` if there is none. */
  get nextDue(): number {
    return this.#size > 0 ? this.#dueAt(0) : NEVER
  }

  dueOf(slot: number): number {
    return this.#due[slot] as number
  }

  add(slot: number, due: number): void {
    this.#due = reaching(this.#due, slot)
    this.#heap = reaching(this.#heap, slot)
    this.#position = reaching(this.#position, slot)
    this.#due[slot] = due
    this.#rise(slot, this.#size++)
  }

  move(slot: number, due: number): void {
    const before = this.dueOf(slot)
    this.#due[slot] = due
    const position = this.#position[slot] as number
    if (due < before) this.#rise(slot, position)
    else this.#sink(slot, position)
  }

  remove(slot: number): void {
    const position = this.#position[slot] as number
    const last = this.#heap[--this.#size] as number
    if (last === slot) return
    this.#rise(last, position)
    this.#sink(last, this.#position[last] as number)
  }

  /** Lets a slot rise from a position, as far as it is due before what stands above. */
  #rise(slot: number, from: number): void {
    const due = this.dueOf(slot)
    let position = from
    while (position > 0) {
      const above = (position - 1) >> 1
      const other = this.#heap[above] as number
      if (this.dueOf(other) <= due) break
      this.#put(other, position)
      position = above
    }
    this.#put(slot, position)
  }

  /** Lets a slot sink from a position, as far as it is due after what stands below. */
  #sink(slot: number, from: number): void {
    const due = this.dueOf(slot)
    let position = from
    for (;;) {
      let below = 2 * position + 1
      if (below >= this.#size) break
      const right = below + 1
      if (right < this.#size && this.#dueAt(right) < this.#dueAt(below)) below = right
      if (this.#dueAt(below) >= due) break
      this.#put(this.#heap[below] as number, position)
      position = below
    }
    this.#put(slot, position)
  }

  #dueAt(position: number): number {
    return this.dueOf(this.#heap[position] as number)
  }

  #put(slot: number, position: number): void {
    this.#heap[position] = slot
    this.#position[slot] = position
  }
}
