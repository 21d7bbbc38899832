import { Dice } from './tour.ts'

/** n · m = floor · w + remainder, as decimal text; a quotient of 2⁵³ or more has floor null and remainder "0". */
export interface MulDivCase {
  readonly n: string
  readonly m: string
  readonly w: string
  readonly floor: string | null
  readonly remainder: string
}

const MOST_N = 2n ** 52n
const YEAR = 366n * 86_400_000_000n
const MOST_W = 2n ** 45n
const EXACT = 2n ** 53n

function row(n: bigint, m: bigint, w: bigint): MulDivCase {
  const floor = (n * m) / w
  return {
    n: `${n}`,
    m: `${m}`,
    w: `${w}`,
    floor: floor < EXACT ? `${floor}` : null,
    remainder: floor < EXACT ? `${(n * m) % w}` : '0',
  }
}

/** A whole number of up to so many bits, and often one next to a power of two. */
function number(dice: Dice, bits: number): bigint {
  const size = 1 + dice.roll(bits)
  const power = 2n ** BigInt(size)
  if (dice.roll(3) === 0) return power - BigInt(dice.of(0, 1, 2))
  let value = 0n
  for (let part = 0; part < 3; part++) value = (value << 20n) | BigInt(dice.roll(2 ** 20))
  return value % power
}

/** Around 2⁵³, where a double's product is no longer exact; remainders of 0, 1 and w − 1; w = 1; the largest n and m. */
function edges(): MulDivCase[] {
  const rows: MulDivCase[] = [
    row(0n, 0n, 1n),
    row(0n, YEAR, 1_000n),
    row(MOST_N, 0n, 7n),
    row(MOST_N, 1n, 1n),
    row(EXACT - 1n, 1n, 1n),
    row(1n, EXACT - 1n, 1n),
    row(EXACT - 1n, MOST_W, MOST_W),
    row(MOST_N, YEAR, YEAR),
    row(MOST_N, YEAR - 1n, YEAR),
    row(MOST_N, YEAR, MOST_W),
    row(1_000_000_000n, YEAR, YEAR - 1n),
    row(1_000_000_000n, YEAR, 1_000_000_000n),
    row(999_999_937n, YEAR, 999_999_929n),
    row(2n ** 31n - 1n, YEAR, YEAR - 1_000n),
    row(MOST_N, YEAR, 1n),
    row(EXACT - 1n, YEAR, 1_000_000n),
  ]
  for (const product of [EXACT - 1n, EXACT, EXACT + 1n]) {
    for (const w of [1n, 2n, 3n, 7n, 1_000n, 1_000_003n]) {
      const m = 94_906_267n
      for (const n of [product / m, product / m + 1n]) rows.push(row(n, m, w))
    }
  }
  for (const w of [1_000n, 3_333_000n, 86_400_000_000n, YEAR]) {
    for (const quotient of [1n, 1_000_000_007n, 2n ** 40n - 1n]) {
      // n · m an exact multiple of w, and one off to both sides where the product allows it.
      for (const n of [quotient, quotient + 1n]) rows.push(row(n, w, w), row(n, w - 1n, w), row(n, w + 1n, w))
    }
  }
  return rows
}

export function mulDivCases(): MulDivCase[] {
  const dice = new Dice(53)
  const rows = edges()
  while (rows.length < 480) {
    const next = row(number(dice, 52), number(dice, 44), number(dice, 44) + 1n)
    if (next.floor !== null) rows.push(next)
  }
  return rows
}
