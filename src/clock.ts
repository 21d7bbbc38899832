import { StoreError } from './errors.ts'

/** What time it is, and how to sleep. Times are epoch milliseconds, with a fraction. */
export interface Clock {
  nowMs(): number
  /** Resolves at the instant or after it, never before; rejects with the signal's reason when aborted, and leaves no timer then. */
  sleepUntil(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The first instant that can't be told in microseconds: 2⁴² ms, in May 2109. Below it `Math.round(ms * 1000)` is exact both ways;
 * from it on an instant is reported as `Infinity`.
 */
export const HORIZON_MS: number = 2 ** 42

/** The instant that does not come. */
export const NEVER: number = Number.POSITIVE_INFINITY

/** Timers take no more than this many milliseconds (24.8 days); a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

let originMs: number | undefined

/**
 * The wall clock, anchored once, when first asked: from then on it is monotonic, so that a step of the wall clock neither gives quota nor
 * takes it. Not at module load: edge runtimes have no time yet there.
 */
export const systemClock: Clock = {
  nowMs(): number {
    originMs ??= Date.now() - performance.now()
    return originMs + performance.now()
  },

  async sleepUntil(ms: number, signal?: AbortSignal): Promise<void> {
    // Timers may fire a little early and can't run for more than 24.8 days: so ask again until it is time.
    for (;;) {
      signal?.throwIfAborted()
      const leftMs = ms - systemClock.nowMs()
      if (leftMs <= 0) return
      await timer(Math.min(Math.ceil(leftMs), MAX_TIMER_MS), signal)
    }
  },
}

function timer(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(handle)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const handle = setTimeout(done, delayMs)
    signal?.addEventListener('abort', done)
  })
}

/** A clock's reading in whole microseconds, which is how states hold time. */
export function nowMicros(clock: Clock): number {
  const ms = clock.nowMs()
  if (typeof ms === 'number' && ms >= 0 && ms < HORIZON_MS) return Math.round(ms * 1000)
  throw new StoreError(
    'ERR_HEADGATE_CLOCK',
    `the clock must say epoch milliseconds, 0 to ${HORIZON_MS}; it says ${ms}`,
  )
}

/** An instant as far as it can be told: `Infinity` past the horizon, and for never. */
export function told(micros: number): number {
  return micros < HORIZON_MS * 1000 ? micros : NEVER
}
