import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { openapi } from '../serve/openapi.ts'

/** A response, however it was got. */
export interface Answer {
  readonly status: number
  readonly header: (name: string) => string | null | undefined
  readonly body: string
}

interface Response {
  readonly headers?: Readonly<Record<string, object>>
  readonly content: Readonly<Record<string, object>>
}

type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
>

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema({ ...closed(), $id: 'openapi' })
const validators = new Map<string, ValidateFunction>()

/**
 * Holds an answer against the service's own description: the operation has such a response, with this content type, these headers and no
 * field more than it names. What is asked where no operation is comes back as a problem.
 */
export function expectDescribed(method: string, url: string, { status, header, body }: Answer): void {
  const path = new URL(url, 'http://localhost').pathname
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const [type = ''] = (header('content-type') ?? '').split(';')
  const operation = (openapi['paths'] as unknown as Paths)[path]?.[verb]
  const at = `${method} ${path} ${status} ${type}`
  if (!operation) {
    expect(type, at).toBe('application/problem+json')
    if (method === 'HEAD') return
    expectValid(['components', 'schemas', 'Problem'], JSON.parse(body), at)
    return
  }
  const response = operation.responses[String(status)]
  expect(Object.keys(response?.content ?? {}), at).toEqual([type])
  for (const name of Object.keys(response?.headers ?? {})) expect(header(name), `${at} ${name}`).toBeTruthy()
  if (method === 'HEAD') return
  const value: unknown = type === 'text/html' ? body : JSON.parse(body)
  expectValid(['paths', path, verb, 'responses', String(status), 'content', type, 'schema'], value, at)
}

function expectValid(where: readonly string[], value: unknown, at: string): void {
  const $ref = `openapi#/${where.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
  const validate = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, validate)
  validate(value)
  expect(validate.errors ?? [], `${at} ${JSON.stringify(value)}`).toEqual([])
}

/** The description, with no field allowed that it does not name. */
function closed(): object {
  const document = JSON.parse(JSON.stringify(openapi)) as {
    components: { schemas: Record<string, { properties?: object; additionalProperties?: boolean }> }
  }
  for (const schema of Object.values(document.components.schemas)) {
    if (schema.properties) schema.additionalProperties = false
  }
  return document
}
