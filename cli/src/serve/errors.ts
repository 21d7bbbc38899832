import type { FastifyError, FastifyReply } from 'fastify'
import { PolicyError, ReceiptError, StoreError } from 'headgate'
import { unknownReceipt } from './desk.ts'
import { dropRest } from './drop-rest.ts'
import { PROBLEM_TYPE, type Problem, ProblemError, problemOf } from './problems.ts'
import { MAX_BODY_BYTES } from './schemas.ts'

/** Told of what nobody expected, so that it can be looked into. */
export type OnUnexpected = (error: unknown) => void

export function sendProblem(reply: FastifyReply, problem: Problem): void {
  dropRest(reply)
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer realm="headgate"')
  if (problem.status === 503) void reply.header('retry-after', '1')
  void reply.code(problem.status).header('content-type', PROBLEM_TYPE).send(problem)
}

/** Whatever was thrown on the way to an answer, as the problem to answer with. */
export function problemFrom(error: unknown, onUnexpected: OnUnexpected): Problem {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof ReceiptError) return unknownReceipt().problem
  if (error instanceof PolicyError) return problemOf('invalid-request', `${error.message}.`)
  if (error instanceof StoreError) return fromStore(error, onUnexpected)
  return fromFastify(error) ?? unexpected(error, onUnexpected)
}

function fromStore(error: StoreError, onUnexpected: OnUnexpected): Problem {
  if (error.code === 'ERR_HEADGATE_SATURATED') {
    return problemOf(
      'store-saturated',
      'As many keys are live as it may hold: a new one is counted once one of them expires.',
    )
  }
  onUnexpected(error)
  return problemOf('store-unavailable', 'The store failed; the log of the service says how.')
}

function fromFastify(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, message, statusCode = 500 }: Partial<FastifyError> = error
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return problemOf('body-too-large', `The body must be at most ${MAX_BODY_BYTES} bytes.`)
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return problemOf('unsupported-media-type', 'Send JSON, with the header "content-type: application/json".')
  }
  // A client that went away in the middle of its body is among these.
  return statusCode >= 400 && statusCode < 500 ? problemOf('invalid-request', `${message}.`) : undefined
}

function unexpected(error: unknown, onUnexpected: OnUnexpected): Problem {
  onUnexpected(error)
  return problemOf('internal', 'Something failed that should not; the log of the service says what.')
}
