import { PolicyError } from 'headgate'
import { type DeclaredPolicy, declare } from '../config/declared-policy.ts'
import type { PolicyEntry } from '../config/policy-schema.ts'
import { usageFailure } from '../failure.ts'
import { showCount } from '../text.ts'
import { type Rate, rateOf } from './rate.ts'

/** How much of a period's units a GCRA lets through at once here: a tenth, so that it shows what an even flow does. */
const BURST_SHARE = 10

/**
 * All five algorithms at the average rate of one policy, n units per period: windows of a period with limit n, a bucket that holds n, and
 * a GCRA with bursts of n / 10, rounded up. The policy itself stands in place of its algorithm's, with its own numbers.
 */
export function fiveLike(entry: PolicyEntry): readonly DeclaredPolicy[] {
  const rate = rateOf(entry)
  if (rate.units === 0)
    throw usageFailure('--compare needs a rate above 0: at 0 every algorithm denies all, sooner or later.')
  const own = entry.algorithm === 'leaky-bucket' ? 'gcra' : entry.algorithm
  try {
    return fiveAt(rate).map((other) => declare(other.algorithm === own ? entry : other))
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    throw usageFailure(
      `--compare can't run all five at ${showCount(rate.units)} per ${rate.per}: for one of them ${error.message}.`,
    )
  }
}

/** The burst that `fiveLike` gives a GCRA. */
export function burstAt({ units }: Rate): number {
  return Math.ceil(units / BURST_SHARE)
}

function fiveAt(rate: Rate): readonly PolicyEntry[] {
  const { units, per } = rate
  return [
    { algorithm: 'fixed-window', limit: units, window: per },
    { algorithm: 'sliding-window', limit: units, window: per },
    { algorithm: 'sliding-log', limit: units, window: per },
    { algorithm: 'token-bucket', capacity: units, refill: units, per },
    { algorithm: 'gcra', rate: units, per, burst: burstAt(rate) },
  ]
}
