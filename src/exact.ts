/** A whole quotient and what is left over: `n · m = quotient · w + remainder`, with `0 ≤ remainder < w`. */
export interface Quotient {
  readonly quotient: number
  readonly remainder: number
}

/** 2²⁷ + 1: splits a double into two halves of 26 bits whose products are exact (Veltkamp 1968, Dekker 1971). */
const SPLITTER = 134_217_729

/**
 * `n · m` divided by `w`, exactly, from doubles alone: the one product of the whole library that may pass 2⁵³.
 *
 * Whole numbers only: `0 ≤ n, m < 2⁵³`, `1 ≤ w ≤ 2⁴⁵` (366 days in microseconds fit); `n` may be `Infinity`. A quotient of 2⁵³ or more can't be told
 * exactly and is `Infinity` with remainder 0; every instant and count that large is beyond the horizon anyway.
 * The Lua side has the same function, held to the same golden table (`test/golden/mul-div.json`).
 */
export function mulDiv(n: number, m: number, w: number): Quotient {
  const high = n * m
  let quotient = Math.floor(high / w)
  // Nearly always: a product below 2⁵³ is exact, and its quotient is too far below the next whole number to be rounded up to it.
  if (high < 2 ** 53) return { quotient, remainder: high - quotient * w }
  if (!(quotient < 2 ** 53)) return { quotient: Number.POSITIVE_INFINITY, remainder: 0 }
  const back = quotient * w
  // Both differences are exact: the high parts agree to within a few w, and the low parts are below 2⁴⁵.
  let remainder = high - back + (productError(n, m, high) - productError(quotient, w, back))
  // The rounding of the division may have put the quotient one off; the exact remainder says so.
  while (remainder < 0) {
    quotient -= 1
    remainder += w
  }
  while (remainder >= w) {
    quotient += 1
    remainder -= w
  }
  return { quotient, remainder }
}

/** What rounding took from the product: `a · b − fl(a · b)`, exactly. */
function productError(a: number, b: number, product: number): number {
  const aSplit = SPLITTER * a
  const aHigh = aSplit - (aSplit - a)
  const aLow = a - aHigh
  const bSplit = SPLITTER * b
  const bHigh = bSplit - (bSplit - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}
