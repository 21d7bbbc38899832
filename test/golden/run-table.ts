import type { Decision } from 'headgate'
import type { PolicySpecs } from '../model/oracle/index.ts'
import type { Subject } from '../model/support/subject.ts'
import type { Expected, GoldenTable, Numbers, Step } from './table.ts'

/** Plays a table on a limiter, whatever is behind it, and throws at the first answer that is not the table's. */
export async function runTable(
  table: GoldenTable,
  makeLimiter: (policies: PolicySpecs) => Subject | Promise<Subject>,
): Promise<void> {
  const limiter = await makeLimiter(table.policies)
  const receipts = new Map<string, string>()
  for (const [index, step] of table.steps.entries()) {
    await limiter.setMs(step.atMs)
    const got = await answer(limiter, step, table.policies, receipts)
    const want = 'expect' in step ? step.expect : undefined
    if (JSON.stringify(got) !== JSON.stringify(want)) {
      throw new Error(
        `step ${index} of "${table.about}"\n${JSON.stringify(step)}\nwas answered\n${JSON.stringify(got)}`,
      )
    }
  }
  await limiter.close()
}

async function answer(
  limiter: Subject,
  step: Step,
  policies: PolicySpecs,
  receipts: Map<string, string>,
): Promise<Expected | { returned: number } | undefined> {
  if (step.op === 'refund') {
    const receipt = receipts.get(step.receipt)
    return { returned: receipt === undefined ? 0 : await limiter.refund(receipt, step.units) }
  }
  const { keys } = step
  const names = Object.keys(policies).filter((name) => name in keys)
  const instead = step.policies ? { policies: step.policies } : {}
  switch (step.op) {
    case 'reset':
      return void (await limiter.reset(keys, instead))
    case 'charge':
      return told(step.atMs, await limiter.charge(keys, step.units, instead), names)
    case 'peek':
      return told(step.atMs, await limiter.peek(keys, { ...instead, cost: step.cost }), names)
    case 'take': {
      const { decision, receipt } = await limiter.reserve(keys, { ...instead, cost: step.cost })
      if (step.receipt !== undefined && receipt !== undefined) receipts.set(step.receipt, receipt)
      return told(step.atMs, decision, names)
    }
  }
}

/** A decision in the table's words: fields in the table's order, null for Infinity. */
function told(atMs: number, decision: Decision, names: readonly string[]): Expected {
  if (decision.decidedAtMs !== atMs)
    throw new Error(`decided at ${decision.decidedAtMs}, where the clock said ${atMs}`)
  return {
    allowed: decision.allowed,
    ...(decision.allowed || decision.reason === 'outage' ? {} : { reason: decision.reason }),
    policy: decision.policy,
    ...numbersOf(decision),
    ...(decision.allowed ? {} : { retryAtMs: finite(decision.retryAtMs) }),
    ...(names.length < 2
      ? {}
      : { each: Object.fromEntries(names.map((name) => [name, numbersOf(decision.each[name] as Numbers)])) }),
  }
}

export function numbersOf({ limit, remaining, resetAtMs }: Numbers): Numbers {
  return { limit, remaining, resetAtMs: finite(resetAtMs) }
}

export function finite(ms: number | null): number | null {
  return ms !== null && Number.isFinite(ms) ? ms : null
}
