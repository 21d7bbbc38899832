import { FormatRegistry, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { fixedWindow, type Policies } from 'headgate'
import { expect } from 'vitest'
import { DecisionBody, ProblemBody } from '../serve/schemas.ts'
import { Service, type ServiceOptions } from '../serve/service.ts'

/** Ten an hour from the first request on: nothing comes back while a test runs. */
export const tenAnHour: Policies = { default: fixedWindow({ limit: 10, window: '1h' }) }

/** A service on a free port of this machine, and what it wrote to its log. */
export async function startService(options: Partial<ServiceOptions> = {}) {
  const log: string[] = []
  const service = await Service.start({
    policies: tenAnHour,
    host: '127.0.0.1',
    port: 0,
    maxKeys: 1000,
    log: (line) => log.push(line),
    ...options,
  })
  return { service, log, origin: service.origin, port: Number(new URL(service.origin).port) }
}

export function post(
  origin: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
}

/** The decision that an answer holds: status 200, and of the promised shape. */
export async function decisionOf(response: Response): Promise<DecisionBody> {
  const body: unknown = await response.json()
  expect(response.status, JSON.stringify(body)).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expectShape(DecisionBody, body)
  return body as DecisionBody
}

export async function take(
  origin: string,
  key: string,
  more: Record<string, unknown> = {},
): Promise<DecisionBody> {
  return decisionOf(await post(origin, '/v1/take', { policy: 'default', key, ...more }))
}

export async function peek(
  origin: string,
  key: string,
  more: Record<string, unknown> = {},
): Promise<DecisionBody> {
  return decisionOf(await post(origin, '/v1/peek', { policy: 'default', key, ...more }))
}

export async function refund(origin: string, receipt: string | undefined, units?: number): Promise<unknown> {
  const response = await post(origin, '/v1/refund', { receipt, units })
  expect(response.status).toBe(200)
  return response.json()
}

/** The problem that an answer holds: RFC 9457, with the status it says, of the kind that is expected. */
export async function problemOf(
  response: Response,
  status: number,
  kind: string,
): Promise<{ detail: string; pointer?: string }> {
  const body = (await response.json()) as {
    status: number
    type: string
    title: string
    detail: string
    pointer?: string
  }
  expect(response.status, JSON.stringify(body)).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expectProblem(body, status, kind)
  return body
}

export function expectProblem(body: unknown, status: number, kind: string): void {
  expectShape(ProblemBody, body)
  expect(body).toMatchObject({ status, type: `urn:headgate:problem:${kind}` })
}

FormatRegistry.Set('uri', (text) => URL.canParse(text))

function expectShape(schema: TSchema, body: unknown): void {
  expect([...Value.Errors(schema, body)], JSON.stringify(body)).toEqual([])
}
