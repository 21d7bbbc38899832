import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mulDiv } from './exact.ts'

/** The widest that the machines ask for: units in debt, a window or a rate, a window. */
const n = fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 2 ** 52 }))
const m = fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 366 * 86_400_000_000 }))
const w = fc.oneof(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 366 * 86_400_000_000 }))

function inIntegers(a: number, b: number, c: number): { quotient: bigint; remainder: bigint } {
  const product = BigInt(a) * BigInt(b)
  return { quotient: product / BigInt(c), remainder: product % BigInt(c) }
}

describe('mulDiv', () => {
  it('is the quotient and the remainder that exact integers give, and Infinity where doubles end', () => {
    fc.assert(
      fc.property(n, m, w, (a, b, c) => {
        const exact = inIntegers(a, b, c)
        const got = mulDiv(a, b, c)
        if (exact.quotient >= 2n ** 53n)
          return got.quotient === Number.POSITIVE_INFINITY && got.remainder === 0
        return BigInt(got.quotient) === exact.quotient && BigInt(got.remainder) === exact.remainder
      }),
      { numRuns: 50_000 },
    )
  })

  it('is exact where the division comes out even, and one unit either side of it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 26 }),
        w,
        fc.constantFrom(-1, 0, 1),
        (quotient, c, nudge) => {
          const a = quotient * c + nudge
          fc.pre(Number.isSafeInteger(a))
          const exact = inIntegers(a, 1, c)
          expect(mulDiv(a, 1, c)).toEqual({
            quotient: Number(exact.quotient),
            remainder: Number(exact.remainder),
          })
        },
      ),
      { numRuns: 10_000 },
    )
  })

  it.each([
    [2 ** 52, 1, 1],
    [2 ** 53 - 1, 1, 1],
    [1e9, 366 * 86_400_000_000, 366 * 86_400_000_000],
    [1e9 - 1, 366 * 86_400_000_000 - 1, 366 * 86_400_000_000],
    [999_999_937, 31_622_399_999_999, 999_999_929],
  ])('%d · %d / %d', (a, b, c) => {
    const { quotient, remainder } = inIntegers(a, b, c)
    expect(mulDiv(a, b, c)).toEqual({ quotient: Number(quotient), remainder: Number(remainder) })
  })

  it('takes an endless factor for an endless product, and one times nothing too', () => {
    for (const m of [0, 7]) {
      expect(mulDiv(Number.POSITIVE_INFINITY, m, 7)).toEqual({
        quotient: Number.POSITIVE_INFINITY,
        remainder: 0,
      })
    }
  })
})
