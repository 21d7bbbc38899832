import { bytesToText, printable } from '../text.ts'
import type { AccessRecord } from './access-record.ts'
import { CommonLogParser } from './common-log.ts'
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts'

export interface SkippedLine {
  /** Counted from 1. */
  readonly line: number
  /** How it begins, safe to print. */
  readonly text: string
}

const SHOWN = 120

/** Reads requests out of the bytes of a log, and keeps count of what was none. */
export class LogReader {
  readonly #onRequest: (record: AccessRecord) => void
  readonly #parser = new CommonLogParser()
  readonly #lines = new LineSplitter({
    line: (bytes, start, end) => this.#read(bytes, start, end),
    overlong: () => this.#skip(`a line of more than ${MAX_LINE_BYTES} bytes`),
  })
  #line = 0
  #requests = 0
  #skippedLines = 0
  #firstSkipped: SkippedLine | undefined

  constructor(onRequest: (record: AccessRecord) => void) {
    this.#onRequest = onRequest
  }

  get requests(): number {
    return this.#requests
  }

  /** Lines that could not be read as a request; blank ones are not counted. */
  get skippedLines(): number {
    return this.#skippedLines
  }

  get firstSkipped(): SkippedLine | undefined {
    return this.#firstSkipped
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk)
  }

  end(): void {
    this.#lines.end()
  }

  #read(bytes: Buffer, start: number, end: number): void {
    const record = this.#parser.parse(bytes, start, end)
    if (record) {
      this.#line++
      this.#requests++
      this.#onRequest(record)
    } else if (isBlank(bytes, start, end)) {
      this.#line++
    } else {
      this.#skip(bytesToText(bytes.subarray(start, Math.min(end, start + SHOWN * 4))))
    }
  }

  #skip(text: string): void {
    this.#line++
    this.#skippedLines++
    this.#firstSkipped ??= { line: this.#line, text: printable(text, SHOWN) }
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false
  return true
}
