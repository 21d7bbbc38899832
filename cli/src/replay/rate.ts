import { type Duration, fixedWindow } from 'headgate'
import type { PolicyEntry } from '../config/policy-schema.ts'

/** So many units in each period, in the long run. */
export interface Rate {
  readonly units: number
  /** As it was written: `1m`. */
  readonly per: string
  readonly perMs: number
}

/** The average rate a policy lets through, by the numbers it was declared with. */
export function rateOf(entry: PolicyEntry): Rate {
  switch (entry.algorithm) {
    case 'fixed-window':
    case 'sliding-window':
    case 'sliding-log':
      return rate(entry.limit, entry.window)
    case 'token-bucket':
      return rate(entry.refill, entry.per)
    case 'gcra':
    case 'leaky-bucket':
      return rate(entry.rate, entry.per)
  }
}

function rate(units: number, per: string): Rate {
  // The library reads durations; a window of this length tells what it read.
  return { units, per, perMs: fixedWindow({ limit: 0, window: per as Duration }).windowMs }
}
