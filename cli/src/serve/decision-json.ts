import type { Decision, Numbers } from 'headgate'
import type { DecisionBody } from './schemas.ts'

/** A decision as it goes over the wire: the same fields, with null for what never comes, and the receipt of what it took. */
export function decisionJson(decision: Decision, receipt?: string): DecisionBody {
  const { allowed, policy, limit, remaining, decidedAtMs, source } = decision
  return {
    allowed,
    ...(decision.allowed ? {} : { reason: decision.reason }),
    policy,
    limit,
    remaining,
    decidedAtMs,
    resetAtMs: finite(decision.resetAtMs),
    ...(decision.allowed
      ? {}
      : { retryAtMs: finite(decision.retryAtMs), retryAfterMs: finite(decision.retryAfterMs) }),
    source,
    each: eachJson(decision.each),
    ...(receipt === undefined ? {} : { receipt }),
  }
}

function eachJson(each: Decision['each']): DecisionBody['each'] {
  const result: DecisionBody['each'] = {}
  for (const [name, numbers] of Object.entries(each)) if (numbers) result[name] = numbersJson(numbers)
  return result
}

function numbersJson({ limit, remaining, resetAtMs }: Numbers): DecisionBody['each'][string] {
  return { limit, remaining, resetAtMs: finite(resetAtMs) }
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}
