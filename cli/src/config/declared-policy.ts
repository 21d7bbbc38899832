import {
  type Duration,
  fixedWindow,
  gcra,
  leakyBucket,
  type Policy,
  PolicyError,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from 'headgate'
import type { AlgorithmName, PolicyEntry } from './policy-schema.ts'

/** A policy as somebody declared it, and how far a request may change its limit. */
export interface DeclaredPolicy {
  /** Its numbers as they were written; undefined for a policy that was made in code. */
  readonly entry: PolicyEntry | undefined
  readonly policy: Policy
  /** The highest limit, capacity or burst that a request may ask for; undefined where it may ask for none. */
  readonly maxLimit: number | undefined
  /** The same policy with another limit, capacity or burst: what is used stays used. */
  withLimit(limit: number): Policy
}

/** From an entry that the schema of its algorithm has let pass. */
export function declare<E extends PolicyEntry>(entry: E): DeclaredPolicy & { readonly entry: E } {
  return {
    entry,
    policy: make(entry, undefined),
    maxLimit: 'maxLimit' in entry ? entry.maxLimit : undefined,
    withLimit: (limit) => make(entry, limit),
  }
}

/** The field that `maxLimit` bounds; an algorithm whose burst is fixed has none. */
export const LIMIT_FIELD: Readonly<Record<AlgorithmName, string | undefined>> = {
  'fixed-window': 'limit',
  'sliding-window': 'limit',
  'sliding-log': 'limit',
  'token-bucket': 'capacity',
  gcra: 'burst',
  'leaky-bucket': undefined,
}

/** Whether the library takes a text for a duration. */
export function isDuration(text: string): boolean {
  try {
    return fixedWindow({ limit: 0, window: text as Duration }).windowMs > 0
  } catch (error) {
    if (error instanceof PolicyError) return false
    throw error
  }
}

function make(entry: PolicyEntry, limit: number | undefined): Policy {
  switch (entry.algorithm) {
    case 'fixed-window':
      return fixedWindow({
        limit: limit ?? entry.limit,
        window: entry.window as Duration,
        align: entry.align ?? 'first',
      })
    case 'sliding-window':
      return slidingWindow({
        limit: limit ?? entry.limit,
        window: entry.window as Duration,
        strict: entry.strict ?? false,
      })
    case 'sliding-log':
      return slidingLog({ limit: limit ?? entry.limit, window: entry.window as Duration })
    case 'token-bucket':
      return tokenBucket({
        capacity: limit ?? entry.capacity,
        refill: entry.refill,
        per: entry.per as Duration,
      })
    case 'gcra':
      return gcra({ rate: entry.rate, per: entry.per as Duration, burst: limit ?? entry.burst })
    case 'leaky-bucket':
      return leakyBucket({ rate: entry.rate, per: entry.per as Duration })
  }
}
