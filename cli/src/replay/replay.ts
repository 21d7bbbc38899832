import { Limiter, MemoryStore, type Policy } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { errorCode, Failure } from '../failure.ts'
import { showCount } from '../text.ts'
import { KeyTally, type KeyTotals } from './key-tally.ts'
import { LogReader, type SkippedLine } from './log-reader.ts'
import { TimeOrder } from './time-order.ts'

/** Far above what fits into memory in practice, and below what a Map can hold: the store must not be the reason for a verdict. */
const MAX_KEYS = 10_000_000
const WORST_KEYS = 10

export interface ReplayOptions {
  readonly policy: Policy
  /** How far back in time a line may lie behind the newest before it and still be put in its place. */
  readonly horizonMs: number
}

export interface ReplayTotals {
  readonly requests: number
  readonly admitted: number
  readonly denied: number
  readonly keys: number
  readonly deniedKeys: number
  /** Lines that could not be read as a request; blank ones are not counted. */
  readonly skippedLines: number
  readonly firstSkipped: SkippedLine | undefined
  /** Requests from beyond the horizon, decided at the time the replay had reached. */
  readonly late: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** The keys denied most, the worst first. */
  readonly worst: readonly KeyTotals[]
}

/** Puts a log through the limiter itself, on a clock that follows the log. Memory holds one horizon of requests, and the keys. */
export class Replay {
  readonly #clock = new ManualClock(0)
  readonly #limiter: Limiter<Policy>
  readonly #tally = new KeyTally()
  readonly #order: TimeOrder
  readonly #reader: LogReader
  #denied = 0
  #firstAtMs = Number.NaN

  constructor(options: ReplayOptions) {
    const store = new MemoryStore({ maxKeys: MAX_KEYS, clock: this.#clock })
    this.#limiter = new Limiter({ name: 'replay', store, clock: this.#clock, policy: options.policy })
    this.#order = new TimeOrder(options.horizonMs, (timeMs, id) => this.#decide(timeMs, id))
    this.#reader = new LogReader((record) =>
      this.#order.push(record.timeMs, this.#tally.idOf(record.remoteHost)),
    )
  }

  /** Requests read so far. */
  get requests(): number {
    return this.#reader.requests
  }

  /** The first line that was no request. */
  get firstSkipped(): SkippedLine | undefined {
    return this.#reader.firstSkipped
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk)
  }

  /** Decides what is left and says what became of it all. */
  end(): ReplayTotals {
    this.#reader.end()
    this.#order.end()
    const { requests, skippedLines, firstSkipped } = this.#reader
    return {
      requests,
      admitted: requests - this.#denied,
      denied: this.#denied,
      keys: this.#tally.size,
      deniedKeys: this.#tally.deniedKeys,
      skippedLines,
      firstSkipped,
      late: this.#order.late,
      firstAtMs: this.#firstAtMs,
      lastAtMs: this.#clock.nowMs(),
      worst: this.#tally.worst(WORST_KEYS),
    }
  }

  #decide(timeMs: number, id: number): void {
    if (Number.isNaN(this.#firstAtMs)) this.#firstAtMs = timeMs
    this.#clock.set(timeMs)
    const { allowed } = this.#take(this.#tally.keyOf(id))
    if (!allowed) this.#denied++
    this.#tally.add(id, timeMs, allowed)
  }

  #take(key: string): { readonly allowed: boolean } {
    try {
      return this.#limiter.takeSync(key)
    } catch (error) {
      if (errorCode(error) !== 'ERR_HEADGATE_SATURATED') throw error
      throw new Failure(
        `more than ${showCount(MAX_KEYS)} keys are held at once at request ${showCount(this.requests)}: replay a shorter log, or a shorter window.`,
      )
    }
  }
}
