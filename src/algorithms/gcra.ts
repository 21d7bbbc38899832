import type { Duration } from '../duration.ts'
import { readOptions } from '../options.ts'
import { limitOf, makePolicy, microsOf, type Policy } from '../policy.ts'
import { bucketMachine } from './bucket.ts'

const machine = /* @__PURE__ */ bucketMachine('gcra')

/** Options of {@link gcra}. */
export interface GcraOptions {
  /** Units each `per`, evenly spaced, 0 to 1e9; with 0 the first burst is all there is. */
  readonly rate: number
  /** The period of the rate, 1 ms to 366 days. */
  readonly per: Duration
  /** The most units at once, 0 to 1e9; 0 denies everything. Never computed for you: say it. */
  readonly burst: number
}

/**
 * The generic cell rate algorithm (ITU-T I.371): units at an even rate, with at most `burst` at once. For what stands behind you and
 * hates spikes. The same machine as a token bucket of capacity `burst`.
 *
 * @throws PolicyError naming the field, the value and the rule.
 */
export function gcra(options: GcraOptions): Policy {
  const { rate, per, burst } = readOptions('gcra', options, { rate: limitOf, per: microsOf, burst: limitOf })
  return makePolicy(machine, burst, per, '', rate)
}

/** Options of {@link leakyBucket}. */
export interface LeakyBucketOptions {
  /** Units each `per`, one at a time, 0 to 1e9. */
  readonly rate: number
  /** The period of the rate, 1 ms to 366 days. */
  readonly per: Duration
}

/**
 * A leaky bucket: a {@link gcra} with burst 1, so that units pass one at a time at an even rate. With `wait` it is a queue with flat output.
 *
 * @throws PolicyError naming the field, the value and the rule.
 */
export function leakyBucket(options: LeakyBucketOptions): Policy {
  const { rate, per } = readOptions('leakyBucket', options, { rate: limitOf, per: microsOf })
  return makePolicy(machine, 1, per, '', rate)
}
