import { type BatchSink, tagOf } from './event-batch.ts'
import { EventQueue } from './event-queue.ts'
import type { KeyChoice } from './key-choice.ts'
import { KeyIndex } from './key-index.ts'
import { LogReader } from './log-reader.ts'
import type { LogSource } from './log-source.ts'
import { LogText } from './log-text.ts'
import { nothingRead } from './nothing-read.ts'
import type { Progress } from './progress.ts'
import { TimeOrder } from './time-order.ts'
import type { ReadTotals } from './traffic.ts'

export interface PassOptions {
  readonly key: KeyChoice
  /** The statuses of answers that cost nothing. */
  readonly free: ReadonlySet<number>
  /** How far back in time a line may lie behind the newest before it and still be put in its place. */
  readonly horizonMs: number
}

/** Reads a log once, from bytes to requests in the order of time. Memory holds one horizon of requests, and the keys. */
export class LogPass {
  readonly keys: KeyIndex = new KeyIndex()
  readonly #choice: KeyChoice
  readonly #queue = new EventQueue()
  readonly #order: TimeOrder
  readonly #reader: LogReader

  constructor({ key, free, horizonMs }: PassOptions) {
    this.#choice = key
    this.#order = new TimeOrder(horizonMs, (timeMs, tag) => this.#queue.push(timeMs, tag))
    this.#reader = new LogReader(key, (record) =>
      this.#order.push(record.timeMs, tagOf(this.keys.idOf(record.key), free.has(record.status))),
    )
  }

  async read(source: LogSource, sink: BatchSink, progress: Progress): Promise<ReadTotals> {
    const text = new LogText(source)
    for await (const chunk of text.chunks()) {
      this.#reader.push(chunk)
      await this.#queue.drain(sink)
      progress.update(source.bytesRead, this.#reader.requests)
    }
    this.#reader.end()
    this.#order.end()
    await this.#queue.drain(sink, true)
    const { requests, skippedLines, firstSkipped } = this.#reader
    if (requests === 0) throw nothingRead(text, firstSkipped, this.#choice)
    return { skippedLines, firstSkipped, late: this.#order.late }
  }
}
