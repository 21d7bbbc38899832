import { enlarged } from './enlarged.ts'

/** The most requests of one key in any stretch as long as a window. */
export interface Peak {
  readonly requests: number
  readonly key: string
  /** When the stretch ended, in epoch milliseconds. */
  readonly atMs: number
}

const FIRST_CAPACITY = 1024
/** 48 MiB of requests in one window; more of them are not measured, rather than held. */
const MAX_HELD = 1 << 22

/** Finds the highest rolling rate of any key: counts what lies in `(t − windowMs, t]`, exactly, at each request. */
export class RollingPeak {
  readonly #windowMs: number
  readonly #maxHeld: number
  #timesMs = new Float64Array(FIRST_CAPACITY)
  #ids = new Uint32Array(FIRST_CAPACITY)
  #counts = new Uint32Array(FIRST_CAPACITY)
  #head = 0
  #held = 0
  #most = 0
  #mostId = 0
  #mostAtMs = Number.NaN
  #overflowed = false

  constructor(windowMs: number, maxHeld = MAX_HELD) {
    this.#windowMs = windowMs
    this.#maxHeld = maxHeld
  }

  add(id: number, timeMs: number): void {
    if (this.#overflowed) return
    this.#leave(timeMs - this.#windowMs)
    if (this.#held === this.#timesMs.length && !this.#grow()) return
    while (id >= this.#counts.length) this.#counts = enlarged(this.#counts)
    const place = (this.#head + this.#held++) & (this.#timesMs.length - 1)
    this.#timesMs[place] = timeMs
    this.#ids[place] = id
    const count = (this.#counts[id] ?? 0) + 1
    this.#counts[id] = count
    if (count <= this.#most) return
    this.#most = count
    this.#mostId = id
    this.#mostAtMs = timeMs
  }

  /** Undefined where nothing was counted, or more lay in one window than can be held. */
  peak(keyOf: (id: number) => string): Peak | undefined {
    if (this.#overflowed || this.#most === 0) return undefined
    return { requests: this.#most, key: keyOf(this.#mostId), atMs: this.#mostAtMs }
  }

  #leave(untilMs: number): void {
    while (this.#held > 0 && (this.#timesMs[this.#head] ?? 0) <= untilMs) {
      const id = this.#ids[this.#head] ?? 0
      this.#counts[id] = (this.#counts[id] ?? 0) - 1
      this.#head = (this.#head + 1) & (this.#timesMs.length - 1)
      this.#held--
    }
  }

  #grow(): boolean {
    if (this.#held >= this.#maxHeld) {
      this.#overflowed = true
      this.#timesMs = new Float64Array(0)
      this.#ids = new Uint32Array(0)
      return false
    }
    this.#timesMs = unrolled(this.#timesMs, this.#head)
    this.#ids = unrolled(this.#ids, this.#head)
    this.#head = 0
    return true
  }
}

/** A ring of twice the room that begins at its head. */
function unrolled<T extends Float64Array | Uint32Array>(ring: T, head: number): T {
  const straight = new (ring.constructor as new (length: number) => T)(ring.length * 2)
  straight.set(ring.subarray(head))
  straight.set(ring.subarray(0, head), ring.length - head)
  return straight
}
