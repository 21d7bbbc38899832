import { Ajv } from 'ajv'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../config/read-config.ts'
import { valuesOf } from '../testing/from-schema.ts'
import { replayHint, seedForRun } from '../testing/random.ts'
import { ask, post, startService } from '../testing/served.ts'
import { Wire } from '../testing/wire.ts'
import { Batch, Check, RefundBody } from './schemas.ts'

const CONFIG = parseConfig(
  'a.yaml',
  `policies:
  default: { algorithm: sliding-window, limit: 10, window: 1h, maxLimit: 1000000000 }
  log: { algorithm: sliding-log, limit: 10, window: 1ms, maxLimit: 1000000 }
limiters:
  api:
    policies:
      ip: { algorithm: token-bucket, capacity: 5, refill: 0, per: 366d, maxLimit: 1000000000 }
      user: { algorithm: gcra, rate: 1000000000, per: 1ms, burst: 1000000000 }`,
)
const WORDS = ['default', 'log', 'api', 'ip', 'user', '__proto__', 'k', 'default:hg1.', '\ud800', '\u0000']
const NOT_VALID = 'urn:headgate:problem:invalid-request'
const RUNS = 150

let served: Awaited<ReturnType<typeof startService>>
beforeEach(async () => {
  served = await startService({ config: CONFIG, maxKeys: 20 })
})
afterEach(async () => {
  await served.service.stop(1000)
  // A fault of the service's own would stand here.
  expect(served.log.filter((line) => line.includes('"error"'))).toEqual([])
})

const ajv = new Ajv({ strict: false })
const isCheck = ajv.compile(Check)
const isBatch = ajv.compile(Batch)
const isRefund = ajv.compile(RefundBody)

async function holds<T>(
  values: fc.Arbitrary<T>,
  promise: (value: T) => Promise<void>,
  runs = RUNS,
): Promise<void> {
  const seed = seedForRun()
  await fc.assert(fc.asyncProperty(values, promise), { seed, numRuns: runs }).catch((error: Error) => {
    error.message += `\n${replayHint(seed)}`
    throw error
  })
}

interface Problem {
  readonly type: string
  readonly pointer?: string
}

/** What may be wrong with a body that keeps the schema: names that there are not, and limits that are too high. */
function expectOfNames({ type, pointer = '' }: Problem): void {
  const kind = type.replace('urn:headgate:problem:', '')
  expect([
    'unknown-policy',
    'unknown-limiter',
    'limit-refused',
    'invalid-request',
    'store-saturated',
  ]).toContain(kind)
  if (kind === 'invalid-request') expect(pointer).toMatch(/\/(keys|limits)(\/|$)/)
}

describe('bodies by the schema', () => {
  it('are decided, or told which name or limit there is not', async () => {
    await holds(
      fc.tuple(fc.constantFrom('take', 'peek'), valuesOf(Check, WORDS)),
      async ([operation, body]) => {
        const response = await post(served.origin, `/v1/${operation}`, body)
        if (response.status !== 200) expectOfNames((await response.json()) as Problem)
      },
    )
  })

  it('are decided each for itself in a batch', async () => {
    await holds(valuesOf(Batch, WORDS), async (body) => {
      const response = await post(served.origin, '/v1/take', body)
      expect(response.status).toBe(200)
      const { decisions } = (await response.json()) as { decisions: (Problem | { allowed: boolean })[] }
      expect(decisions).toHaveLength((body as { checks: unknown[] }).checks.length)
      for (const decision of decisions) if ('type' in decision) expectOfNames(decision)
    })
  })

  it('redeem a receipt or are told that it is none', async () => {
    await holds(valuesOf(RefundBody, WORDS), async (body) => {
      expect((await post(served.origin, '/v1/refund', body)).status).toBe(400)
    })
  })
})

describe('any JSON at all', () => {
  const names = [
    'policy',
    'key',
    'cost',
    'limit',
    'limiter',
    'keys',
    'limits',
    'checks',
    'receipt',
    'units',
    '__proto__',
  ]
  const near = fc.dictionary(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string()),
    fc.oneof(
      fc.constantFrom<unknown>(...WORDS, '', 0, -0, 1, -1, 0.1, 1e9, 1e9 + 1, 1e21, null, true, [], {}),
      fc.dictionary(fc.constantFrom('ip', 'user'), fc.jsonValue(), { noNullPrototype: true }),
      fc.array(valuesOf(Check, WORDS), { maxLength: 3 }),
      fc.jsonValue(),
    ),
    { noNullPrototype: true },
  )

  it('is a 400 exactly when the schema says so', async () => {
    await holds(fc.oneof(near, near, fc.jsonValue()), async (body) => {
      const text = JSON.stringify(body)
      const sent: unknown = JSON.parse(text)
      for (const path of ['/v1/take', '/v1/peek', '/v1/refund']) {
        const response = await post(served.origin, path, text)
        const answer = (await response.json()) as Problem & { decisions?: (Problem | object)[] }
        const keeps = path === '/v1/refund' ? isRefund(sent) : isCheck(sent) || isBatch(sent)
        if (answer.decisions) {
          const { checks } = sent as { checks: unknown[] }
          for (const [i, decision] of answer.decisions.entries())
            if (!isCheck(checks[i])) expect(decision).toMatchObject({ type: NOT_VALID })
        } else if (!keeps) {
          expect({ ...answer, status: response.status }).toMatchObject({ status: 400, type: NOT_VALID })
        } else if (path !== '/v1/refund' && response.status !== 200) expectOfNames(answer)
      }
    })
  })
})

describe('garbage', () => {
  it('as a body is a problem, and never a 500', async () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      valuesOf(Check, WORDS).map((body) => Buffer.from(JSON.stringify(body)).subarray(0, -1)),
      fc.json().map((text) => Buffer.from(text)),
    )
    const types = fc.constantFrom(
      'application/json',
      'application/json; charset=latin1',
      'text/plain',
      'a/b;;',
      '',
    )
    await holds(fc.tuple(bodies, types), async ([body, type]) => {
      const headers = type === '' ? {} : { 'content-type': type }
      const response = await ask(`${served.origin}/v1/take`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      })
      expect([400, 415]).toContain(response.status)
    })
  })

  it('as a method, path or header is a problem, and never a 500', async () => {
    const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
    const places = fc.constantFrom('/', '/healthz', '/openapi.json', '/v1/take', '/v1/refund', '/v1/')
    const tails = fc.oneof(
      fc.constant(''),
      fc.webPath(),
      fc.webQueryParameters().map((query) => `?${query}`),
      fc.string(),
    )
    await holds(fc.tuple(methods, places, tails, fc.base64String()), async ([method, place, tail, value]) => {
      const headers = { 'x-any': value, authorization: value, accept: value, 'accept-encoding': value }
      const response = await ask(`${served.origin}${place}${tail}`, { method, headers })
      expect(response.status).toBeLessThan(500)
    })
  })

  it('on a connection is answered or cut off, and holds up nobody', async () => {
    const start = fc.constantFrom(
      '',
      'GET ',
      'POST /v1/take HTTP/1.1\r\nHost: a\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    )
    const bytes = fc
      .tuple(start, fc.string({ unit: 'binary', maxLength: 200 }))
      .map((parts) => `${parts.join('')}\r\n\r\n`)
    await holds(
      bytes,
      async (text) => {
        const wire = await Wire.open(served.port)
        wire.send(text)
        // What is no whole request waits for its rest, so the answer to another says that it was read.
        expect((await post(served.origin, '/v1/peek', { policy: 'default', key: 'k' })).status).toBe(200)
        wire.close()
        expect(await wire.untilClosed()).not.toMatch(/HTTP\/1.1 5/)
      },
      60,
    )
  })
})
