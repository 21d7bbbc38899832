import { bytesToText, printable } from '../text.ts'
import type { AccessRecord } from './access-record.ts'
import { CommonLogParser } from './common-log.ts'
import { JsonLogParser } from './json-log.ts'
import type { KeyChoice } from './key-choice.ts'
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts'

export interface SkippedLine {
  /** Counted from 1. */
  readonly line: number
  /** How it begins, safe to print. */
  readonly text: string
}

const SHOWN = 120
const BRACE = 0x7b

/** Reads requests out of the bytes of a log, each line in the format it is in, and keeps count of what was none. */
export class LogReader {
  readonly #onRequest: (record: AccessRecord) => void
  readonly #common: CommonLogParser
  readonly #json: JsonLogParser
  readonly #lines = new LineSplitter({
    line: (bytes, start, end) => this.#read(bytes, start, end),
    overlong: () => this.#skip(`a line of more than ${MAX_LINE_BYTES} bytes`),
  })
  #line = 0
  #requests = 0
  #skippedLines = 0
  #firstSkipped: SkippedLine | undefined

  constructor(choice: KeyChoice, onRequest: (record: AccessRecord) => void) {
    this.#common = new CommonLogParser(choice)
    this.#json = new JsonLogParser(choice)
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
    const first = firstVisible(bytes, start, end)
    if (first === end) {
      this.#line++
      return
    }
    const parser = bytes[first] === BRACE ? this.#json : this.#common
    const record = parser.parse(bytes, start, end)
    if (record) {
      this.#line++
      this.#requests++
      this.#onRequest(record)
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

/** Where something stands that is no space; `end` of a blank line. */
function firstVisible(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++
  return at
}
