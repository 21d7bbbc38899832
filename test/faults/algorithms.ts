import { fixedWindow, gcra, type Policy, slidingLog, slidingWindow, tokenBucket } from 'headgate'

export interface Algorithm {
  readonly name: string
  /** A policy of `limit` units per `windowMs`; a bucket's is full at first and refills as fast. */
  readonly policy: (limit: number, windowMs: number) => Policy
}

/** A bucket that holds nothing must still be given a rate. */
const rate = (limit: number): number => Math.max(1, limit)

export const FIXED: Algorithm = {
  name: 'fixed window',
  policy: (limit, window) => fixedWindow({ limit, window }),
}
export const FIXED_EPOCH: Algorithm = {
  name: 'fixed window on the epoch',
  policy: (limit, window) => fixedWindow({ limit, window, align: 'epoch' }),
}
export const SLIDING: Algorithm = {
  name: 'sliding window',
  policy: (limit, window) => slidingWindow({ limit, window }),
}
export const STRICT: Algorithm = {
  name: 'strict sliding window',
  policy: (limit, window) => slidingWindow({ limit, window, strict: true }),
}
export const LOG: Algorithm = {
  name: 'sliding log',
  policy: (limit, window) => slidingLog({ limit, window }),
}
export const BUCKET: Algorithm = {
  name: 'token bucket',
  policy: (limit, per) => tokenBucket({ capacity: limit, refill: rate(limit), per }),
}
export const GCRA: Algorithm = {
  name: 'gcra',
  policy: (limit, per) => gcra({ rate: rate(limit), per, burst: limit }),
}

export const FIXED_WINDOWS = [FIXED, FIXED_EPOCH]
export const COUNTERS = [SLIDING, STRICT]
export const BUCKETS = [BUCKET, GCRA]
export const ALGORITHMS = [...FIXED_WINDOWS, ...COUNTERS, LOG, ...BUCKETS]
