import type { FastifyInstance } from 'fastify'
import type { Policies } from 'headgate'
import { fixedWindow } from 'headgate'
import { expect } from 'vitest'
import { configOf } from '../config/config.ts'
import { createLog, type LogLevel } from '../serve/log.ts'
import { problemType } from '../serve/problems.ts'
import type { DecisionBody, DecisionsBody } from '../serve/schemas.ts'
import { Service, type ServiceOptions } from '../serve/service.ts'
import { expectDescribed } from './openapi-check.ts'

/** Ten an hour from the first request on: nothing comes back while a test runs. */
export const tenAnHour: Policies = { default: fixedWindow({ limit: 10, window: '1h' }) }

export interface ServedOptions extends Partial<ServiceOptions> {
  readonly policies?: Policies
  readonly logLevel?: LogLevel
}

/** A service on a free port of this machine, and the lines of its log. */
export async function startService({
  policies = tenAnHour,
  logLevel = 'warn',
  ...options
}: ServedOptions = {}) {
  const log: string[] = []
  const service = await Service.start({
    config: configOf(policies),
    host: '127.0.0.1',
    port: 0,
    maxKeys: 1000,
    log: createLog({ write: (line) => log.push(line) }, logLevel),
    ...options,
  })
  return { service, log, origin: service.origin, port: Number(new URL(service.origin).port) }
}

/** What `fetch` does, with the answer held against the service's own description. */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  const body = await response.clone().text()
  expectDescribed(init.method ?? 'GET', url, {
    status: response.status,
    header: (name) => response.headers.get(name),
    body,
  })
  return response
}

export function post(
  origin: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
}

type Told<Allowed extends boolean> = Omit<Extract<DecisionBody, { allowed: Allowed }>, 'allowed'>
/** A decision with the fields of both kinds, for tests that look at one. */
export type AnyDecision = { readonly allowed: boolean } & Told<true> & Partial<Told<false>>

async function answerOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T
  expect(response.status, JSON.stringify(body)).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return body
}

/** The decision that an answer holds. */
export async function decisionOf(response: Response): Promise<AnyDecision> {
  const decision = await answerOf<AnyDecision>(response)
  expect(decision).toHaveProperty('allowed')
  return decision
}

/** The decisions, and problems, that the answer to a batch holds. */
export async function batch(
  origin: string,
  checks: readonly unknown[],
  path = '/v1/take',
): Promise<unknown[]> {
  const { decisions } = await answerOf<DecisionsBody>(await post(origin, path, { checks }))
  return decisions
}

export async function take(
  origin: string,
  key: string,
  more: Record<string, unknown> = {},
): Promise<AnyDecision> {
  return decisionOf(await post(origin, '/v1/take', { policy: 'default', key, ...more }))
}

export async function peek(
  origin: string,
  key: string,
  more: Record<string, unknown> = {},
): Promise<AnyDecision> {
  return decisionOf(await post(origin, '/v1/peek', { policy: 'default', key, ...more }))
}

/** A check of several policies at once. */
export async function takeAll(
  origin: string,
  limiter: string,
  keys: Readonly<Record<string, string | null>>,
  more: Record<string, unknown> = {},
): Promise<AnyDecision> {
  return decisionOf(await post(origin, '/v1/take', { limiter, keys, ...more }))
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
  const body = (await response.json()) as { detail: string; pointer?: string }
  expect(response.status, JSON.stringify(body)).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(body).toMatchObject({ status, type: problemType(kind) })
  return body
}

/** What an application answers without a connection, held against the service's own description. */
export async function inject(app: FastifyInstance, method: 'GET' | 'POST', url: string, payload?: object) {
  const response = await app.inject(payload ? { method, url, payload } : { method, url })
  expectDescribed(method, url, {
    status: response.statusCode,
    header: (name) => response.headers[name.toLowerCase()]?.toString(),
    body: response.body,
  })
  return response
}
