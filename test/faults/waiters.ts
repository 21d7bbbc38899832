import type { ManualClock } from 'headgate/testing'
import { settled } from './rig.ts'

/** How a wait ended, and when. */
export interface Ending {
  readonly name: string
  /** Milliseconds after the start. */
  readonly at: number
  /** What it was rejected with; undefined where it was granted. */
  readonly error?: unknown
}

/** Keeps a list of how waits ended, in the order in which they did. */
export class Watch {
  readonly endings: Ending[] = []
  readonly #clock: ManualClock
  readonly #startMs: number

  constructor(clock: ManualClock) {
    this.#clock = clock
    this.#startMs = clock.nowMs()
  }

  /** Watches a wait and lets it come as far as it does by itself. */
  async on(name: string, wait: Promise<unknown>): Promise<void> {
    const now = (): number => Math.round((this.#clock.nowMs() - this.#startMs) * 1000) / 1000
    wait.then(
      () => this.endings.push({ name, at: now() }),
      (error: unknown) => this.endings.push({ name, at: now(), error }),
    )
    await settled()
  }

  /** Moves the clock from instant to instant, in milliseconds after the start, and lets happen what is due at each. */
  async through(instants: readonly number[]): Promise<void> {
    for (const at of instants) {
      this.#clock.set(this.#startMs + at)
      await settled()
    }
  }

  /** Who was granted, as `[name, at]`. */
  get granted(): readonly (readonly [string, number])[] {
    return this.endings.filter((ending) => !('error' in ending)).map(({ name, at }) => [name, at])
  }

  /** Who was rejected, as `[name, at, code]`. */
  get rejected(): readonly (readonly [string, number, unknown])[] {
    return this.endings
      .filter((ending) => 'error' in ending)
      .map(({ name, at, error }) => [name, at, codeOf(error)])
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : error
}

/** Instants a step apart, and the microsecond before each. */
export function every(stepMs: number, untilMs: number): number[] {
  const instants: number[] = []
  for (let at = stepMs; at <= untilMs; at += stepMs) instants.push(at - 0.001, at)
  return instants
}
