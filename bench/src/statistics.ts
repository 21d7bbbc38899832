/** The middle of several measurements and how far they lie apart. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** @throws RangeError for no measurements: they have no middle. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const [low] = sorted
  const high = sorted.at(-1)
  if (low === undefined || high === undefined) throw new RangeError('a spread needs at least one measurement')
  return { median: medianOf(sorted), low, high }
}

/** What was measured in one round stands at one index of both: load that comes and goes between rounds cancels out. */
export function ratiosOf(over: readonly number[], under: readonly number[]): Spread {
  if (over.length !== under.length) throw new RangeError('ratios need as many measurements above as below')
  return spreadOf(over.map((value, round) => value / (under[round] as number)))
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2
}
