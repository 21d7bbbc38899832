import type { Instant } from './instant.ts'

/** A window's use saturates here, in debt alone. */
export const MOST_USE = 2n ** 31n - 1n

/** What a receipt remembers of one policy's charge. */
export interface Charged {
  readonly units: bigint
  /** The state's newest time just after the charge: a window's start, a log entry's time, a bucket's instant. */
  readonly place: bigint
  /** The reset reported with the charge. */
  readonly end: Instant
}

export interface Returned<S> {
  /** `undefined` once nothing is used. */
  readonly state: S | undefined
  readonly units: bigint
}

/**
 * One algorithm, reduced to what it alone knows. `used` says all about deciding: admitted is "used + cost fits the limit", the wait is the
 * first instant at which that holds, the reset the first instant at which nothing is used. All instants handed in are at `latest` or after.
 */
export interface Algorithm<S> {
  /** How far a clock may fall behind `latest` before it is taken for a clock that was wrong. */
  readonly spanMicros: bigint
  latest(state: S): bigint
  /** The same use, moved so that `latest` is `now` (aligned windows: the window of `now`). */
  shift(state: S, now: bigint): S
  used(state: S, at: bigint): bigint
  charge(state: S | undefined, now: bigint, units: bigint): S
  refund(state: S, now: bigint, charged: Charged, units: bigint): Returned<S>
  /** The instant from which a charge has nothing left to give back. */
  voidsAt(charged: Charged): Instant
  /** When a state ends that no refill would ever end. */
  lapsesAt(state: S): Instant
}
