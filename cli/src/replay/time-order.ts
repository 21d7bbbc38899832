import { enlarged } from './enlarged.ts'

/** Where requests come out, in the order of time; those of one instant in the order they were put in. */
export type Release = (timeMs: number, id: number) => void

/**
 * Sorts a stream by time as far as a horizon reaches. Servers write a line when the answer is done, so a log is out of order by as long as
 * an answer takes. A request is held until one came that is a horizon newer; memory is what one horizon of traffic needs.
 */
export class TimeOrder {
  readonly #horizonMs: number
  readonly #release: Release
  readonly #heap = new EventHeap()
  #newestMs = Number.NEGATIVE_INFINITY
  #releasedMs = Number.NEGATIVE_INFINITY
  #late = 0

  constructor(horizonMs: number, release: Release) {
    this.#horizonMs = horizonMs
    this.#release = release
  }

  /** Requests that came so late that newer ones had been released. They are released with the time of the newest of those. */
  get late(): number {
    return this.#late
  }

  push(timeMs: number, id: number): void {
    if (timeMs < this.#releasedMs) this.#late++
    this.#heap.push(Math.max(timeMs, this.#releasedMs), id)
    if (timeMs <= this.#newestMs) return
    this.#newestMs = timeMs
    this.#releaseUntil(timeMs - this.#horizonMs)
  }

  /** Releases all that is held. */
  end(): void {
    this.#releaseUntil(Number.POSITIVE_INFINITY)
  }

  #releaseUntil(limitMs: number): void {
    while (this.#heap.size > 0 && this.#heap.firstMs < limitMs) {
      this.#releasedMs = this.#heap.firstMs
      this.#release(this.#heap.firstMs, this.#heap.firstId)
      this.#heap.removeFirst()
    }
  }
}

const FIRST_CAPACITY = 1024

/** A binary heap over plain arrays of numbers: an object an event would cost five times the memory. */
class EventHeap {
  #times = new Float64Array(FIRST_CAPACITY)
  #orders = new Float64Array(FIRST_CAPACITY)
  #ids = new Uint32Array(FIRST_CAPACITY)
  #pushed = 0
  size = 0

  get firstMs(): number {
    return this.#times[0] ?? Number.NaN
  }

  get firstId(): number {
    return this.#ids[0] ?? 0
  }

  push(timeMs: number, id: number): void {
    if (this.size === this.#times.length) this.#grow()
    const order = this.#pushed++
    let at = this.size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isAfter(parent, timeMs, order)) break
      this.#move(parent, at)
      at = parent
    }
    this.#set(at, timeMs, order, id)
  }

  removeFirst(): void {
    const last = --this.size
    const timeMs = this.#times[last] ?? 0
    const order = this.#orders[last] ?? 0
    const id = this.#ids[last] ?? 0
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= last) break
      if (child + 1 < last && this.#isAfter(child, this.#times[child + 1] ?? 0, this.#orders[child + 1] ?? 0))
        child++
      if (this.#isAfter(child, timeMs, order)) break
      this.#move(child, at)
      at = child
    }
    this.#set(at, timeMs, order, id)
  }

  #isAfter(at: number, timeMs: number, order: number): boolean {
    const ownMs = this.#times[at] ?? 0
    return ownMs > timeMs || (ownMs === timeMs && (this.#orders[at] ?? 0) > order)
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#times[from] ?? 0, this.#orders[from] ?? 0, this.#ids[from] ?? 0)
  }

  #set(at: number, timeMs: number, order: number, id: number): void {
    this.#times[at] = timeMs
    this.#orders[at] = order
    this.#ids[at] = id
  }

  #grow(): void {
    this.#times = enlarged(this.#times)
    this.#orders = enlarged(this.#orders)
    this.#ids = enlarged(this.#ids)
  }
}
