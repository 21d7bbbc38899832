import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, post, startService, take } from '../testing/served.ts'
import { openapi } from './openapi.ts'
import { PROBLEMS } from './problems.ts'

let served: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  served = await startService()
})
afterAll(() => served.service.stop(1000))

it('is served as it is, and is OpenAPI 3.1 by the standard', async () => {
  const response = await ask(`${served.origin}/openapi.json`)
  const document = (await response.json()) as Record<string, unknown>
  expect(document).toEqual(JSON.parse(JSON.stringify(openapi)))
  const { valid, errors } = await new Validator().validate(document)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

it('names each of its schemas once, and uses all of them', () => {
  const text = JSON.stringify(openapi)
  const components = Object.keys((openapi['components'] as { schemas: object }).schemas)
  expect(components.sort()).toEqual([
    'Admitted',
    'Batch',
    'Check',
    'Decision',
    'Decisions',
    'Denied',
    'Health',
    'LimiterCheck',
    'Numbers',
    'PolicyCheck',
    'Problem',
    'Refund',
    'Refunded',
  ])
  for (const name of components) expect(text).toContain(`"$ref":"#/components/schemas/${name}"`)
})

it('has every kind of problem that an operation can answer with', () => {
  const { Problem: _, ...rest } = (openapi['components'] as { schemas: Record<string, object> }).schemas
  const text = JSON.stringify([openapi['paths'], rest])
  const kinds = Object.keys(PROBLEMS).filter((kind) => !text.includes(`"urn:headgate:problem:${kind}"`))
  // These are of paths and methods that no operation has.
  expect(kinds).toEqual(['not-found', 'method-not-allowed'])
})

it('has the operations that there are, and no other', async () => {
  const paths = openapi['paths'] as Record<string, object>
  for (const [path, operations] of Object.entries(paths)) {
    const response = await ask(`${served.origin}${path}`, { method: 'DELETE' })
    const allowed = (response.headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD')
    expect(allowed).toEqual(Object.keys(operations).map((method) => method.toUpperCase()))
  }
})

it('would not be kept by an answer that is not as it says', async () => {
  await take(served.origin, 'k')
  const { expectDescribed } = await import('../testing/openapi-check.ts')
  const answer =
    (status: number, body: object, type = 'application/json') =>
    () =>
      expectDescribed('POST', '/v1/take', { status, header: () => type, body: JSON.stringify(body) })
  const decision = await (await post(served.origin, '/v1/peek', { policy: 'default', key: 'k' })).json()
  expect(answer(200, decision as object)).not.toThrow()
  expect(answer(200, { ...(decision as object), more: 1 })).toThrow()
  expect(answer(200, { ...(decision as object), remaining: -1 })).toThrow()
  expect(answer(200, { ...(decision as object), allowed: false })).toThrow()
  expect(answer(200, decision as object, 'text/plain')).toThrow()
  expect(answer(404, { type: 'urn:headgate:problem:not-found' }, 'application/problem+json')).toThrow()
})
