import type { Reading } from './algorithms/settle.ts'
import type { Decided, Decision, Numbers } from './decision.ts'
import type { Outcome } from './stores/store.ts'

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
