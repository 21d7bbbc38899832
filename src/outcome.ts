import type { Reading } from './algorithms/settle.ts'
import type { Decision, Numbers } from './decision.ts'
import type { Outcome } from './stores/store.ts'

/** The decision that the outcome of a check at a cost is; a cost of 0 asks for what a cost of 1 would. */
export function decisionOf<N extends string>({ nowMicros, readings }: Outcome, cost: number): Decision<N> {
  let binding = readings[0] as Reading
  let each: { readonly [K in N]?: Numbers } = {}
  let never = false
  for (const reading of readings) {
    if (bindsMore(reading, binding, nowMicros)) binding = reading
    each = { ...each, [reading.entry.policy]: numbersOf(reading) }
    if ((cost || 1) > reading.entry.rule.limit) never = true
  }
  const { entry, remaining, resetAtMicros, retryAtMicros } = binding
  const policy = entry.policy as N
  const { limit } = entry.rule
  const resetAtMs = resetAtMicros / 1000
  const decidedAtMs = nowMicros / 1000
  const source = 'store'
  if (retryAtMicros === nowMicros) {
    return { allowed: true, policy, limit, remaining, resetAtMs, decidedAtMs, source, each }
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
    each,
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
