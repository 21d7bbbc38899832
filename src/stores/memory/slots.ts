import { ExpiryHeap } from './expiry-heap.ts'

/** Where a slot's name is kept. */
export interface Home {
  readonly slots: Map<string, number>
}

/**
 * Numbered places for named things that expire: what is kept in a place is its owner's affair. A place that is freed is used again first.
 * There is no timer: the owner asks for what is due.
 */
export class Slots<H extends Home> {
  readonly #heap = new ExpiryHeap()
  readonly #names: (string | undefined)[] = []
  readonly #homes: (H | undefined)[] = []
  readonly #free: number[] = []

  get size(): number {
    return this.#heap.size
  }

  homeOf(slot: number): H {
    return this.#homes[slot] as H
  }

  /** Takes a place for a name that its home has not got yet. */
  add(home: H, name: string, dueMicros: number): number {
    const slot = this.#free.pop() ?? this.#names.length
    this.#names[slot] = name
    this.#homes[slot] = home
    home.slots.set(name, slot)
    this.#heap.add(slot, dueMicros)
    return slot
  }

  remove(slot: number): void {
    this.homeOf(slot).slots.delete(this.#names[slot] as string)
    this.#names[slot] = undefined
    this.#homes[slot] = undefined
    this.#heap.remove(slot)
    this.#free.push(slot)
  }

  /** The place that is due first, if it is due by now. */
  due(nowMicros: number): number | undefined {
    const { first } = this.#heap
    return first !== undefined && this.#heap.dueOf(first) <= nowMicros ? first : undefined
  }

  dueOf(slot: number): number {
    return this.#heap.dueOf(slot)
  }

  hasten(slot: number, dueMicros: number): void {
    if (dueMicros < this.#heap.dueOf(slot)) this.#heap.move(slot, dueMicros)
  }

  postpone(slot: number, dueMicros: number): void {
    this.#heap.move(slot, dueMicros)
  }
}
