import type { Reading } from './algorithms/settle.ts'
import type { Decision, Numbers } from './decision.ts'
import type { Outcome } from './stores/store.ts'

/** The numbers of every policy, by name. */
type Each<N extends string> = Decision<N>['each']

/** The decision that the outcome of a check at a cost is; a cost of 0 asks for what a cost of 1 would. */
export function decisionOf<N extends string>({ nowMicros, readings }: Outcome, cost: number): Decision<N> {
  const first = readings[0] as Reading
  let binding = first
  // A name is a key of its own, also `__proto__`: so literals, which define, and no assignment.
  let each: Record<string, Numbers> = { [first.entry.policy]: numbersOf(first) }
  let leastLimit = first.entry.rule.limit
  for (let i = 1; i < readings.length; i++) {
    const reading = readings[i] as Reading
    if (bindsMore(reading, binding, nowMicros)) binding = reading
    each = { ...each, [reading.entry.policy]: numbersOf(reading) }
    leastLimit = Math.min(leastLimit, reading.entry.rule.limit)
  }
  const never = (cost || 1) > leastLimit
  const { entry, remaining, resetAtMicros, retryAtMicros } = binding
  const policy = entry.policy as N
  const { limit } = entry.rule
  const resetAtMs = resetAtMicros / 1000
  const decidedAtMs = nowMicros / 1000
  const source = 'store'
  if (retryAtMicros === nowMicros) {
    return { allowed: true, policy, limit, remaining, resetAtMs, decidedAtMs, source, each: each as Each<N> }
  }
  return {
    allowed: false,
    reason: never ? 'never' : 'limit',
    policy,
    limit,
    remaining,
    resetAtMs,
    retryAtMs: retryAtMicros / 1000,
    retryAfterMs: (retryAtMicros - nowMicros) / 1000,
    decidedAtMs,
    source,
    each: each as Each<N>,
  }
}

function numbersOf({ entry, remaining, resetAtMicros }: Reading): Numbers {
  return { limit: entry.rule.limit, remaining, resetAtMs: resetAtMicros / 1000 }
}

/**
 * Of denials the longest wait binds, and any of them more than an admission; of admissions the one with least left; of equals the one
 * that resets later, then the one declared first.
 */
function bindsMore(one: Reading, other: Reading, nowMicros: number): boolean {
  if (one.retryAtMicros !== other.retryAtMicros) return one.retryAtMicros > other.retryAtMicros
  if (one.retryAtMicros === nowMicros && one.remaining !== other.remaining)
    return one.remaining < other.remaining
  return one.resetAtMicros > other.resetAtMicros
}
