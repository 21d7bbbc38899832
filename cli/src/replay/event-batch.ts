/** How many requests stand together: 192 KiB of them. */
const CAPACITY = 1 << 14

/** Requests in the order of time, as numbers side by side: an object for each would cost five times the memory. */
export class EventBatch {
  static readonly CAPACITY: number = CAPACITY
  static readonly BYTES: number = CAPACITY * (Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT)

  /** All of it, to be stored and read back by the same machine. */
  readonly bytes = Buffer.alloc(EventBatch.BYTES)
  readonly #timesMs = new Float64Array(this.bytes.buffer, this.bytes.byteOffset, CAPACITY)
  readonly #tags = new Uint32Array(this.bytes.buffer, this.bytes.byteOffset + 8 * CAPACITY, CAPACITY)
  size = 0

  get isFull(): boolean {
    return this.size === CAPACITY
  }

  push(timeMs: number, tag: number): void {
    this.#timesMs[this.size] = timeMs
    this.#tags[this.size++] = tag
  }

  timeMs(at: number): number {
    return this.#timesMs[at] ?? Number.NaN
  }

  keyId(at: number): number {
    return (this.#tags[at] ?? 0) >>> 1
  }

  isFree(at: number): boolean {
    return (this.#tags[at] ?? 0) % 2 === 1
  }
}

/** A key's number, and whether the request is free, as one number. */
export function tagOf(keyId: number, isFree: boolean): number {
  return keyId * 2 + (isFree ? 1 : 0)
}

/** Where batches go, one after the other: each is lent until the promise is kept. */
export type BatchSink = (batch: EventBatch) => Promise<void>
