import type { Rule } from './policy.ts'

/** One policy's part of a check: which state, under which numbers. */
export interface Entry {
  /** The policy's name. */
  readonly policy: string
  /** Whose states these are: limiter, policy and shape. Entries of one identity have rules of one shape. */
  readonly identity: string
  /** Whose quota, as it may be stored: any text, at most 320 UTF-16 units. */
  readonly key: string
  readonly rule: Rule
}

/** A name that an entry's state shares with no other. */
export function stateName({ identity, key }: Entry): string {
  return JSON.stringify([identity, key])
}
