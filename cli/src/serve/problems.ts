/** What can go wrong, by the last word of the problem's type. Types are stable; titles and details are for people. */
export const PROBLEMS = {
  'invalid-json': { status: 400, title: 'The body is not JSON' },
  'invalid-request': { status: 400, title: 'The request is not valid' },
  'unknown-policy': { status: 400, title: 'There is no such policy' },
  'unknown-limiter': { status: 400, title: 'There is no such limiter' },
  'limit-refused': { status: 400, title: 'The limit may not be this one' },
  'invalid-receipt': { status: 400, title: 'The receipt is not one of this service' },
  unauthorized: { status: 401, title: 'A token is needed' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be JSON' },
  'headers-too-large': { status: 431, title: 'The header fields are too large' },
  internal: { status: 500, title: 'The service failed' },
  'store-saturated': { status: 503, title: 'The store is full' },
  'store-unavailable': { status: 503, title: 'The store cannot decide' },
  draining: { status: 503, title: 'The service is stopping' },
} as const satisfies Readonly<Record<string, { status: number; title: string }>>

export type ProblemKind = keyof typeof PROBLEMS

/** RFC 9457. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Which part of the body is meant, as a JSON pointer. */
  readonly pointer?: string
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export function problemType(kind: string): string {
  return `urn:headgate:problem:${kind}`
}

export function problemOf(kind: ProblemKind, detail: string, pointer?: string): Problem {
  const { status, title } = PROBLEMS[kind]
  const problem = { type: problemType(kind), title, status, detail }
  return pointer === undefined ? problem : { ...problem, pointer }
}

/** Thrown where a request can't be answered; becomes the response. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(kind: ProblemKind, detail: string, pointer?: string) {
    super(detail)
    this.name = 'ProblemError'
    this.problem = problemOf(kind, detail, pointer)
  }
}
