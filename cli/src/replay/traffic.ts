import type { KeyIndex } from './key-index.ts'
import type { SkippedLine } from './log-reader.ts'
import { type Peak, RollingPeak } from './rolling-peak.ts'
import { type Columns, Timeline } from './timeline.ts'

/** What a log asked for, whatever was answered. */
export interface TrafficTotals {
  readonly requests: number
  readonly keys: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** The most that any key asked for in any stretch as long as the window; free requests are not counted. */
  readonly askedPeak: Peak | undefined
}

/** What reading a log came to. */
export interface ReadTotals {
  /** Lines that could not be read as a request; blank ones are not counted. */
  readonly skippedLines: number
  readonly firstSkipped: SkippedLine | undefined
  /** Requests from beyond the horizon, decided at the time the replay had reached. */
  readonly late: number
}

const REQUESTS = 0

/** Counts requests as they come, and draws them, with the denials, over time. */
export class Traffic {
  readonly #timeline: Timeline
  readonly #peak: RollingPeak
  #requests = 0
  #firstAtMs = Number.NaN
  #lastAtMs = Number.NaN

  constructor(policies: number, windowMs: number) {
    this.#timeline = new Timeline(1 + policies)
    this.#peak = new RollingPeak(windowMs)
  }

  add(keyId: number, timeMs: number, isFree: boolean): void {
    if (this.#requests++ === 0) this.#firstAtMs = timeMs
    this.#lastAtMs = timeMs
    this.#timeline.add(timeMs, REQUESTS)
    if (!isFree) this.#peak.add(keyId, timeMs)
  }

  /** Notes a denial by one of the policies, counted from 0. */
  denied(timeMs: number, policy: number): void {
    this.#timeline.add(timeMs, 1 + policy)
  }

  totals(keys: KeyIndex): TrafficTotals {
    return {
      requests: this.#requests,
      keys: keys.size,
      firstAtMs: this.#firstAtMs,
      lastAtMs: this.#lastAtMs,
      askedPeak: this.#peak.peak((id) => keys.keyOf(id)),
    }
  }

  /** Requests in the first row, then the denials of each policy. */
  columns(most: number): Columns {
    return this.#timeline.columns(most)
  }
}
