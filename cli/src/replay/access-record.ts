/** What a replay needs of one request in a log. */
export interface AccessRecord {
  /** When it came, in epoch milliseconds. */
  readonly timeMs: number
  /** Whose quota it counts against; never empty. */
  readonly key: string
  /** The HTTP status it was answered with, 0 to 999. */
  readonly status: number
}

/** The last instant that Headgate tells in microseconds lies before 2⁴² ms, in May 2109. */
const END_MS = 2 ** 42

/** Whether the limiter can decide at an instant. */
export function isInstant(timeMs: number | undefined): timeMs is number {
  return timeMs !== undefined && timeMs >= 0 && timeMs < END_MS
}
