import type { TSchema } from '@sinclair/typebox'
import { version } from '../version.ts'
import { PROBLEMS, type ProblemKind, problemType } from './problems.ts'
import {
  Batch,
  Check,
  DecisionBody,
  DecisionsBody,
  HealthBody,
  MAX_CHECKS,
  ProblemBody,
  RefundBody,
  RefundedBody,
} from './schemas.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }
type JsonObject = { readonly [name: string]: Json | undefined }

const components: Record<string, JsonObject> = {}

/** What any request may be answered with. */
const ANYWHERE: readonly ProblemKind[] = [
  'invalid-request',
  'request-timeout',
  'headers-too-large',
  'internal',
]
const WITH_TOKEN: readonly ProblemKind[] = ['unauthorized']
const WITH_BODY: readonly ProblemKind[] = ['invalid-json', 'body-too-large', 'unsupported-media-type']
const OF_STORE: readonly ProblemKind[] = ['store-saturated', 'store-unavailable']

const decides = (summary: string, description: string): JsonObject => ({
  summary,
  description: `${description} Up to ${MAX_CHECKS} checks may come in one body.`,
  security: SECURITY,
  requestBody: jsonBody({ oneOf: [refTo(Check), refTo(Batch)] }),
  responses: {
    '200': answer('Decided. A denial is an answer, too.', {
      oneOf: [refTo(DecisionBody), refTo(DecisionsBody)],
    }),
    ...problems(
      ...ANYWHERE,
      ...WITH_TOKEN,
      ...WITH_BODY,
      ...OF_STORE,
      'unknown-policy',
      'unknown-limiter',
      'limit-refused',
    ),
  },
})

/** With no token declared the service asks for none. */
const SECURITY: Json = [{ token: [] }, {}]

/** The service in OpenAPI 3.1, from the schemas that requests are checked by. */
export const openapi: JsonObject = {
  openapi: '3.1.0',
  info: {
    title: 'Headgate',
    version,
    summary: 'Decides whether a request may pass.',
    description:
      'Errors are problems by RFC 9457. A path that is not here is answered 404 (not-found), another method than these 405 (method-not-allowed).',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  paths: {
    '/v1/take': {
      post: {
        operationId: 'take',
        ...decides('Charge if there is room', 'Decides, and charges what is admitted.'),
      },
    },
    '/v1/peek': {
      post: { operationId: 'peek', ...decides('Ask only', 'Decides the same, and charges nothing.') },
    },
    '/v1/refund': {
      post: {
        operationId: 'refund',
        summary: 'Give a charge back',
        description: 'A receipt gives back once, also in part.',
        security: SECURITY,
        requestBody: jsonBody(refTo(RefundBody)),
        responses: {
          '200': answer('What came back.', refTo(RefundedBody)),
          ...problems(...ANYWHERE, ...WITH_TOKEN, ...WITH_BODY, ...OF_STORE, 'invalid-receipt'),
        },
      },
    },
    '/healthz': {
      get: {
        operationId: 'health',
        summary: 'Whether it takes requests',
        responses: { '200': answer('It does.', refTo(HealthBody)), ...problems(...ANYWHERE, 'draining') },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'openapi',
        summary: 'This description',
        responses: { '200': answer('OpenAPI 3.1.', { type: 'object' }), ...problems(...ANYWHERE) },
      },
    },
    '/': {
      get: {
        operationId: 'page',
        summary: 'What is running, for people',
        security: SECURITY,
        responses: {
          '200': {
            description: 'A page.',
            content: { 'text/html': { schema: { type: 'string' } } },
          },
          ...problems(...ANYWHERE, ...WITH_TOKEN),
        },
      },
    },
  },
  components: {
    schemas: components,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'One of the tokens in --token-file.' },
    },
  },
}

function jsonBody(schema: JsonObject): JsonObject {
  return { required: true, content: { 'application/json': { schema } } }
}

function answer(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } }
}

/** The responses that these problems are, by status; each holds no other kind than it may. */
function problems(...kinds: readonly ProblemKind[]): JsonObject {
  const byStatus = new Map<number, ProblemKind[]>()
  for (const kind of kinds) {
    const { status } = PROBLEMS[kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
  }
  return Object.fromEntries([...byStatus].map(([status, of]) => [status, problemResponse(status, of)]))
}

function problemResponse(status: number, kinds: readonly ProblemKind[]): JsonObject {
  const these = { type: { enum: kinds.map(problemType) }, status: { const: status } }
  return {
    description: kinds.map((kind) => PROBLEMS[kind].title).join('; '),
    ...headersOf(status),
    content: {
      'application/problem+json': { schema: { allOf: [refTo(ProblemBody), { properties: these }] } },
    },
  }
}

function headersOf(status: number): JsonObject {
  const header = (name: string, description: string): JsonObject => ({
    headers: { [name]: { description, required: true, schema: { type: 'string' } } },
  })
  if (status === 401) return header('WWW-Authenticate', 'Bearer.')
  return status === 503 ? header('Retry-After', 'Seconds after which to try again.') : {}
}

/** A reference to a schema by its title, which becomes a component with all that it names. */
function refTo(schema: TSchema): JsonObject {
  const name = String(schema.title)
  if (!components[name]) {
    components[name] = {}
    components[name] = withoutName(withRefs(schema as unknown as JsonObject))
  }
  return { $ref: `#/components/schemas/${name}` }
}

function withRefs(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, refsIn(value)]))
}

function refsIn(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => refsIn(item) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const schema = value as JsonObject
  return typeof schema['title'] === 'string' ? refTo(schema as unknown as TSchema) : withRefs(schema)
}

function withoutName({ title: _, ...rest }: JsonObject): JsonObject {
  return rest
}
