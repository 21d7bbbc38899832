import type { PolicySpec, PolicySpecs } from '../model/oracle/index.ts'

/** Milliseconds, to the microsecond; null is Infinity: an instant that never comes, or comes after the horizon. */
export type Instant = number | null

export interface Numbers {
  readonly limit: number
  readonly remaining: number
  readonly resetAtMs: Instant
}

export interface Expected extends Numbers {
  readonly allowed: boolean
  /** On a denial alone, and so is retryAtMs. */
  readonly reason?: 'limit' | 'never'
  readonly policy: string
  readonly retryAtMs?: Instant
  /** The numbers of each policy, where more than one applies. */
  readonly each?: { readonly [policy: string]: Numbers }
}

interface On {
  readonly atMs: number
  /** A key for each policy that applies. */
  readonly keys: { readonly [policy: string]: string }
  /** In place of the declared policies of these names, for this step. */
  readonly policies?: { readonly [policy: string]: PolicySpec }
}

export type Step =
  | (On & {
      readonly op: 'take'
      readonly cost: number
      readonly receipt?: string
      readonly expect: Expected
    })
  | (On & { readonly op: 'peek'; readonly cost: number; readonly expect: Expected })
  | (On & { readonly op: 'charge'; readonly units: number; readonly expect: Expected })
  | (On & { readonly op: 'reset' })
  | {
      readonly op: 'refund'
      readonly atMs: number
      readonly receipt: string
      /** All of the charge where it is left out. */
      readonly units?: number
      readonly expect: { readonly returned: number }
    }

/** One story of one limiter, told in order. */
export interface GoldenTable {
  readonly about: string
  readonly policies: PolicySpecs
  readonly steps: readonly Step[]
}
