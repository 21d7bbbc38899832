import type { Problem } from './problems.ts'
import { BatchEnvelope, type Check, LimiterCheck, PolicyCheck, RefundBody } from './schemas.ts'
import { validator } from './validation.ts'

const envelope = validator(BatchEnvelope)
const policyCheck = validator(PolicyCheck)
const limiterCheck = validator(LimiterCheck)

/** The body of a refund. @throws ProblemError saying what is wrong with it. */
export const refundFrom: (body: unknown) => RefundBody = validator(RefundBody)

/** The checks of a batch, not yet looked at; undefined if the body is one check. @throws ProblemError for a bad batch. */
export function batchFrom(body: unknown): readonly unknown[] | undefined {
  return has(body, 'checks') ? envelope(body).checks : undefined
}

/** @throws ProblemError saying what is wrong with it. */
export function checkFrom(body: unknown): Check {
  const isComposed = (has(body, 'limiter') || has(body, 'keys')) && !has(body, 'policy')
  return isComposed ? limiterCheck(body) : policyCheck(body)
}

/** A problem of one check, seen from the body of the batch that it came in. */
export function inBatch(problem: Problem, place: number): Problem {
  return { ...problem, pointer: `/checks/${place}${problem.pointer ?? ''}` }
}

function has(body: unknown, field: string): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.hasOwn(body, field)
}
