/** What is due at an instant, and stands somewhere in a heap. */
export interface Due {
  dueMicros: number
  /** The heap's own: where it stands. */
  position: number
}

/**
 * What is due first is always at hand. A binary heap in which each thing knows where it stands, so that any can be moved or taken out in
 * logarithmic time.
 */
export class ExpiryHeap<D extends Due> {
  readonly #heap: D[] = []

  get size(): number {
    return this.#heap.length
  }

  /** What is due first; undefined if there is nothing. */
  get first(): D | undefined {
    return this.#heap[0]
  }

  add(one: D): void {
    this.#settle(one, this.size)
  }

  move(one: D, dueMicros: number): void {
    one.dueMicros = dueMicros
    this.#settle(one, one.position)
  }

  remove(one: D): void {
    const last = this.#heap.pop() as D
    if (last !== one) this.#settle(last, one.position)
  }

  /** Lets it rise from a position as far as it is due before what stands above, or sink as far as it is due after what stands below. */
  #settle(one: D, from: number): void {
    let position = from
    let other = this.#above(position)
    while (other && one.dueMicros < other.dueMicros) {
      position = this.#put(other, position)
      other = this.#above(position)
    }
    other = this.#below(position)
    while (other && other.dueMicros < one.dueMicros) {
      position = this.#put(other, position)
      other = this.#below(position)
    }
    this.#put(one, position)
  }

  #above(position: number): D | undefined {
    return position > 0 ? this.#heap[(position - 1) >> 1] : undefined
  }

  /** Of the two below, the one that is due first. */
  #below(position: number): D | undefined {
    const left = this.#heap[2 * position + 1]
    const right = this.#heap[2 * position + 2]
    return right && left && right.dueMicros < left.dueMicros ? right : left
  }

  /** @returns Where it stood before. */
  #put(one: D, position: number): number {
    const before = one.position
    this.#heap[position] = one
    one.position = position
    return before
  }
}
