import { type Clock, HORIZON_MS } from '../clock.ts'
import { PolicyError } from '../errors.ts'

/** Somebody asleep on the clock. */
interface Sleeper {
  readonly untilMicros: number
  readonly wake: () => void
}

/** A clock that stands where it was put, to the microsecond. It moves only when told to, forward or back. */
export class ManualClock implements Clock {
  #micros: number
  readonly #sleepers = new Set<Sleeper>()

  /** @param startMs Epoch milliseconds from 0 to May 2109, with a fraction to the microsecond. */
  constructor(startMs: number) {
    this.#micros = microsOf('startMs', startMs)
  }

  nowMs(): number {
    return this.#micros / 1000
  }

  /** How many sleep on this clock. */
  get sleepers(): number {
    return this.#sleepers.size
  }

  /** Puts the clock to an instant, which may lie in the past; wakes whoever slept until then, in the order in which they are due. */
  set(ms: number): void {
    this.#micros = microsOf('ms', ms)
    const due = [...this.#sleepers].filter((sleeper) => sleeper.untilMicros <= this.#micros)
    for (const sleeper of due.sort((a, b) => a.untilMicros - b.untilMicros)) sleeper.wake()
  }

  /** Moves the clock on, or back by a negative number; never before 0. */
  advance(ms: number): void {
    this.set(this.nowMs() + ms)
  }

  sleepUntil(ms: number, signal?: AbortSignal): Promise<void> {
    const untilMicros = Math.round(ms * 1000)
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (untilMicros <= this.#micros) return resolve()
      const sleeper: Sleeper = { untilMicros, wake: () => settle(resolve) }
      const abort = (): void => settle(() => reject(signal?.reason))
      const settle = (how: () => void): void => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', abort)
        how()
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', abort)
    })
  }
}

function microsOf(field: string, ms: unknown): number {
  if (typeof ms === 'number' && ms >= 0 && ms < HORIZON_MS) return Math.round(ms * 1000)
  throw new PolicyError(
    'ERR_HEADGATE_OPTION',
    field,
    ms,
    `must be epoch milliseconds from 0 to ${HORIZON_MS} (May 2109)`,
  )
}
