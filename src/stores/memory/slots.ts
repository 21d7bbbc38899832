import { reaching } from './columns.ts'
import { ExpiryHeap } from './expiry-heap.ts'

/** Where a slot's name is kept. */
export interface Home {
  readonly slots: Map<string, number>
  /** Its number among the homes, as long as it has slots. */
  place: number
}

/**
 * Numbered places for named things that expire: what is kept in a place is its owner's affair. A place that is freed is used again first.
 * There is no timer: the owner asks for what is due.
 */
export class Slots<H extends Home> {
  readonly #heap = new ExpiryHeap()
  readonly #names: (string | undefined)[] = []
  /** The place of each slot's home. There are few homes, and a number takes half the room of a reference. */
  #places = new Int32Array(16)
  readonly #homes: (H | undefined)[] = []
  readonly #free: number[] = []
  readonly #freePlaces: number[] = []

  get size(): number {
    return this.#heap.size
  }

  /** When the first place is due; `Infinity` if there is none. */
  get nextDueMicros(): number {
    return this.#heap.nextDue
  }

  homeOf(slot: number): H {
    return this.#homes[this.#places[slot] as number] as H
  }

  /** Takes a place for a name that its home has not got yet. */
  add(home: H, name: string, dueMicros: number): number {
    if (home.slots.size === 0) {
      home.place = this.#freePlaces.pop() ?? this.#homes.length
      this.#homes[home.place] = home
    }
    const slot = this.#free.pop() ?? this.#names.length
    this.#names[slot] = name
    this.#places = reaching(this.#places, slot)
    this.#places[slot] = home.place
    home.slots.set(name, slot)
    this.#heap.add(slot, dueMicros)
    return slot
  }

  remove(slot: number): void {
    const { slots, place } = this.homeOf(slot)
    slots.delete(this.#names[slot] as string)
    if (slots.size === 0) {
      this.#homes[place] = undefined
      this.#freePlaces.push(place)
    }
    this.#names[slot] = undefined
    this.#heap.remove(slot)
    this.#free.push(slot)
  }

  /** The place that is due first, if it is due by now. */
  due(nowMicros: number): number | undefined {
    return this.nextDueMicros <= nowMicros ? this.#heap.first : undefined
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
