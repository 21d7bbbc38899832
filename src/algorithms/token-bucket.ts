import type { Duration } from '../duration.ts'
import { readOptions } from '../options.ts'
import { limitOf, makePolicy, microsOf, type Policy } from '../policy.ts'
import { bucketMachine } from './bucket.ts'

const machine = /* @__PURE__ */ bucketMachine('token-bucket')

/** Options of {@link tokenBucket}. */
export interface TokenBucketOptions {
  /** The most units at once, 0 to 1e9; 0 denies everything. A bucket is full at first. */
  readonly capacity: number
  /** Units that come back each `per`, steadily, 0 to 1e9; with 0 the first fill is all there is. */
  readonly refill: number
  /** The period of the refill, 1 ms to 366 days. */
  readonly per: Duration
}

/**
 * A token bucket: bursts up to `capacity`, and `refill` per `per` in the long run. For clients that rightly save up: jobs, webhooks that
 * catch up.
 *
 * A bucket with refill 0 is forgotten 366 days after its last charge.
 *
 * @throws PolicyError naming the field, the value and the rule.
 */
export function tokenBucket(options: TokenBucketOptions): Policy {
  const { capacity, refill, per } = readOptions('tokenBucket', options, {
    capacity: limitOf,
    refill: limitOf,
    per: microsOf,
  })
  return makePolicy(machine, capacity, per, '', refill)
}
