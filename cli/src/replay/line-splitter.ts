const NEWLINE = 0x0a
const RETURN = 0x0d
const NOTHING = Buffer.alloc(0)

/** Longer than any server writes a line; a file without line ends must not be gathered into memory. */
export const MAX_LINE_BYTES = 1 << 20

export interface LineSink {
  /** One line without its end, in `bytes[start, end)`. The bytes are lent: copy what outlives the call. */
  line(bytes: Buffer, start: number, end: number): void
  /** A line over `MAX_LINE_BYTES` went by. */
  overlong(): void
}

/** Cuts chunks of bytes into lines, wherever the chunks were cut. A last line needs no end; `\r\n` is one, too. */
export class LineSplitter {
  readonly #sink: LineSink
  #carry: Buffer = NOTHING
  #discarding = false

  constructor(sink: LineSink) {
    this.#sink = sink
  }

  push(chunk: Buffer): void {
    let start = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start)
      if (newline < 0) break
      this.#finish(chunk, start, newline)
      start = newline + 1
    }
    if (start < chunk.length && !this.#discarding) this.#keep(chunk.subarray(start))
  }

  end(): void {
    if (this.#carry.length > 0 || this.#discarding) this.#finish(NOTHING, 0, 0)
  }

  #finish(chunk: Buffer, start: number, end: number): void {
    if (this.#discarding) {
      this.#discarding = false
      this.#sink.overlong()
    } else if (this.#carry.length === 0) {
      this.#emit(chunk, start, end)
    } else {
      const whole = Buffer.concat([this.#carry, chunk.subarray(start, end)])
      this.#carry = NOTHING
      this.#emit(whole, 0, whole.length)
    }
  }

  #emit(bytes: Buffer, start: number, end: number): void {
    if (end - start > MAX_LINE_BYTES) this.#sink.overlong()
    else this.#sink.line(bytes, start, end > start && bytes[end - 1] === RETURN ? end - 1 : end)
  }

  #keep(rest: Buffer): void {
    if (this.#carry.length + rest.length > MAX_LINE_BYTES) {
      this.#carry = NOTHING
      this.#discarding = true
    } else {
      // A copy: a view would keep the whole chunk alive, and the reader may use it again.
      this.#carry = Buffer.concat([this.#carry, rest])
    }
  }
}
