import type { DeclaredPolicy } from '../config/declared-policy.ts'
import type { Plan } from './plan.ts'
import type { Replayed, ReplayResult } from './replay.ts'

/** For programs: one object on one line. Instants are epoch milliseconds; what is infinite is null. */
export function toJson(log: string, plan: Plan, result: ReplayResult): string {
  const { traffic, read, windowMs, columns, policies, below, given } = result
  const [first] = policies
  if (!first) throw new Error('a replay has a policy')
  return JSON.stringify({
    log,
    key: plan.key.name,
    free: [...plan.free],
    ...traffic,
    ...read,
    windowMs,
    ...(plan.compares ? { compared: policies.map(policyJson) } : policyJson(first)),
    ...(plan.tolerance
      ? { suggested: { ...plan.tolerance, limit: first.declared.policy.limit, below, given } }
      : {}),
    overTime: {
      columnMs: columns.columnMs,
      fromMs: columns.fromMs,
      requests: columns.rows[0],
      denied: plan.compares ? columns.rows.slice(1) : columns.rows[1],
    },
  })
}

function policyJson({ declared, ...totals }: Replayed) {
  return { policy: numbersOf(declared), ...totals }
}

function numbersOf({ entry, policy }: DeclaredPolicy) {
  return {
    algorithm: entry?.algorithm,
    limit: policy.limit,
    windowMs: policy.windowMs,
    ...(entry && 'align' in entry ? { align: entry.align } : {}),
    ...(entry && 'strict' in entry ? { strict: entry.strict } : {}),
  }
}
