/** Instants are whole microseconds in a BigInt; `undefined` stands for never, and for any instant past the horizon. */
export type Instant = bigint | undefined

/** 2⁴² ms: from here on an instant is reported as `Infinity`. */
export const HORIZON_MICROS = 2n ** 42n * 1000n

export const DAYS_366_MICROS = 366n * 86_400_000_000n

export function microsOf(ms: number): bigint {
  return BigInt(Math.round(ms * 1000))
}

/** As the API reports it: milliseconds with their fraction, `Infinity` for never. */
export function reported(instant: Instant): number {
  return instant === undefined ? Number.POSITIVE_INFINITY : Number(instant) / 1000
}

/**
 * The first instant, not before `from`, at which `holds` is true: looked for, not computed, so that no formula is trusted.
 * `holds` must stay true once it is. Never is `undefined`.
 */
export function firstInstant(from: bigint, holds: (at: bigint) => boolean): Instant {
  if (holds(from)) return from < HORIZON_MICROS ? from : undefined
  const last = HORIZON_MICROS - 1n
  let before = from
  let step = 1n
  let at = from + step
  while (at < last && !holds(at)) {
    before = at
    step *= 8n
    at += step
  }
  if (at >= last) {
    at = last
    if (before >= last || !holds(last)) return undefined
  }
  while (at - before > 1n) {
    const middle = (before + at) / 2n
    if (holds(middle)) at = middle
    else before = middle
  }
  return at
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
export const floorDiv = (n: bigint, d: bigint): bigint => (n >= 0n ? n / d : -((-n + d - 1n) / d))
export const ceilDiv = (n: bigint, d: bigint): bigint => -floorDiv(-n, d)
