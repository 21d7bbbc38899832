import type { Decision, Numbers } from 'headgate'
import type { DecisionBody, NumbersBody } from './schemas.ts'

/** A decision as it goes over the wire: the same fields, with null for what never comes, and the receipt of what it took. */
export function decisionJson(decision: Decision, receipt?: string): DecisionBody {
  const { policy, limit, remaining, decidedAtMs, source } = decision
  const decided = {
    policy,
    limit,
    remaining,
    resetAtMs: finite(decision.resetAtMs),
    decidedAtMs,
    source,
    each: eachJson(decision.each),
  }
  if (decision.allowed) return { allowed: true, ...decided, ...(receipt === undefined ? {} : { receipt }) }
  return {
    allowed: false,
    reason: decision.reason,
    ...decided,
    retryAtMs: finite(decision.retryAtMs),
    retryAfterMs: finite(decision.retryAfterMs),
  }
}

function eachJson(each: Decision['each']): Record<string, NumbersBody> {
  const result: Record<string, NumbersBody> = {}
  for (const [name, numbers] of Object.entries(each)) if (numbers) result[name] = numbersJson(numbers)
  return result
}

function numbersJson({ limit, remaining, resetAtMs }: Numbers): NumbersBody {
  return { limit, remaining, resetAtMs: finite(resetAtMs) }
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}
