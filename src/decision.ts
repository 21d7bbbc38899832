import type { Reading } from './algorithms/settle.ts'
import type { Outcome } from './stores/store.ts'

/** What one policy says of one key. All from the same atomic result. */
export interface Numbers {
  /** Whole units: the policy's limit, capacity or burst. */
  readonly limit: number
  /** Whole units left, after the charge if there was one; never below 0. */
  readonly remaining: number
  /** Epoch milliseconds at which the whole quota is back if nothing more is charged; with nothing held, the instant of the decision. */
  readonly resetAtMs: number
}

interface Decided<N extends string> extends Numbers {
  /** The policy that binds: the denying one with the longest wait, else the one with least left. Its numbers are this decision's. */
  readonly policy: N
  /** Epoch milliseconds, on the clock that decided. */
  readonly decidedAtMs: number
  /** Who decided. */
  readonly source: 'store' | 'denial-cache' | 'lease' | 'fallback'
  /** The numbers of every policy that applied, by name. */
  readonly each: { readonly [K in N]?: Numbers }
}

/** There is room, and it was charged (a `peek` and a cost of 0 charge nothing). */
export interface Admitted<N extends string = string> extends Decided<N> {
  readonly allowed: true
}

/** There is no room; nothing was charged. A denial is a value and never thrown. */
export interface Denied<N extends string = string> extends Decided<N> {
  readonly allowed: false
  /** `'limit'`: later; `'never'`: the cost is above the limit; `'outage'`: nobody could decide, and the outage policy is closed. */
  readonly reason: 'limit' | 'never' | 'outage'
  /** Epoch milliseconds: the first instant at which the same cost is admitted if nothing else comes. `Infinity` if never. */
  readonly retryAtMs: number
  /** From `decidedAtMs` to `retryAtMs`, in milliseconds. */
  readonly retryAfterMs: number
}

/** What a limiter answers: discriminated by `allowed`. */
export type Decision<N extends string = string> = Admitted<N> | Denied<N>

/** What was asked: under which names, at which cost (a cost of 0 asks for what a cost of 1 would). */
interface Asked {
  readonly names: readonly string[]
  readonly cost: number
}

/** The decision that the outcome of a check is. */
export function decisionOf<N extends string>({ names, cost }: Asked, outcome: Outcome): Decision<N> {
  const { nowMicros, readings, admitted } = outcome
  const binding = readings.length === 1 ? 0 : admitted ? leastLeft(readings) : longestWait(readings)
  const { limit, remaining, resetAtMicros, retryAtMicros } = readings[binding] as Reading
  const policy = names[binding] as N
  const resetAtMs = resetAtMicros / 1000
  const decidedAtMs = nowMicros / 1000
  const each = eachOf(names, readings) as Decided<N>['each']
  if (admitted)
    return { allowed: true, policy, limit, remaining, resetAtMs, decidedAtMs, source: 'store', each }
  return {
    allowed: false,
    reason: readings.some((one) => (cost || 1) > one.limit) ? 'never' : 'limit',
    policy,
    limit,
    remaining,
    resetAtMs,
    retryAtMs: retryAtMicros / 1000,
    retryAfterMs: (retryAtMicros - nowMicros) / 1000,
    decidedAtMs,
    source: 'store',
    each,
  }
}

function eachOf(
  names: readonly string[],
  readings: readonly Reading[],
): { readonly [name: string]: Numbers } {
  // Nearly always there is one.
  if (names.length === 1) return { [names[0] as string]: numbersOf(readings[0] as Reading) }
  return Object.fromEntries(names.map((name, i) => [name, numbersOf(readings[i] as Reading)]))
}

function numbersOf(reading: Reading): Numbers {
  return { limit: reading.limit, remaining: reading.remaining, resetAtMs: reading.resetAtMicros / 1000 }
}

/** The policy with least left; of equals the one that resets later, then the one declared first. */
function leastLeft(readings: readonly Reading[]): number {
  return indexOfBest(
    readings,
    (one, best) => one.remaining - best.remaining || later(one.resetAtMicros, best.resetAtMicros),
  )
}

/** The denying policy with the longest wait; of equals the one that resets later, then the one declared first. */
function longestWait(readings: readonly Reading[]): number {
  return indexOfBest(readings, (one, best) => {
    if (one.admitted !== best.admitted) return one.admitted ? 1 : -1
    return later(one.retryAtMicros, best.retryAtMicros) || later(one.resetAtMicros, best.resetAtMicros)
  })
}

/** Negative if `a` is later. Two instants that never come are equal, which a difference could not tell. */
function later(a: number, b: number): number {
  return a === b ? 0 : b - a
}

/** The first of the best: `compare` is negative where `one` is better. */
function indexOfBest(readings: readonly Reading[], compare: (one: Reading, best: Reading) => number): number {
  let best = 0
  for (let i = 1; i < readings.length; i++) {
    if (compare(readings[i] as Reading, readings[best] as Reading) < 0) best = i
  }
  return best
}
