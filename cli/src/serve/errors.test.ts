import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, peek, post, problemOf, startService } from '../testing/served.ts'
import { postBytes, problemIn, Wire } from '../testing/wire.ts'
import { problemType } from './problems.ts'

let served: Awaited<ReturnType<typeof startService>>
let origin = ''

beforeEach(async () => {
  served = await startService()
  origin = served.origin
})
afterEach(() => served.service.stop(1000))

const GOOD = { policy: 'default', key: 'k' }

describe('a body that is not what it must be', () => {
  const cases: [string, unknown, string, RegExp][] = [
    ['no key', { policy: 'default' }, '/key', /"key" is missing/],
    ['no policy', { key: 'k' }, '/policy', /"policy" is missing/],
    ['an empty key', { ...GOOD, key: '' }, '/key', /"key" must be text of at least 1 character; it is 0\./],
    ['a key that is a number', { ...GOOD, key: 42 }, '/key', /"key" must be text; it is 42\./],
    ['a key that is null', { ...GOOD, key: null }, '/key', /"key" must be text; it is missing or null\./],
    [
      'a key that is an object',
      { ...GOOD, key: { ip: 'a' } },
      '/key',
      /"key" must be text; it is an object\./,
    ],
    [
      'a key that is too long',
      { ...GOOD, key: '😀'.repeat(4097) },
      '/key',
      /at most 4096 characters long; it is 4097\./,
    ],
    ['a cost below nothing', { ...GOOD, cost: -1 }, '/cost', /"cost" must be at least 0; it is -1\./],
    ['a cost in parts', { ...GOOD, cost: 1.5 }, '/cost', /"cost" must be a whole number; it is 1\.5\./],
    ['a cost in text', { ...GOOD, cost: '1' }, '/cost', /"cost" must be a whole number; it is text\./],
    ['a cost that is null', { ...GOOD, cost: null }, '/cost', /"cost" must be a whole number/],
    [
      'a cost above all limits',
      { ...GOOD, cost: 1e9 + 1 },
      '/cost',
      /at most 1000000000; it is 1000000001\./,
    ],
    ['an array', [GOOD], '', /The body must be a JSON object; it is an array\./],
    ['a number', '7', '', /it is 7\./],
    ['null', 'null', '', /it is missing or null\./],
  ]
  it.each(cases)('is a 400 that says so: %s', async (_, body, pointer, detail) => {
    for (const path of ['/v1/take', '/v1/peek']) {
      const problem = await problemOf(await post(origin, path, body), 400, 'invalid-request')
      expect(problem.detail).toMatch(detail)
      expect(problem.pointer).toBe(pointer)
    }
    expect(await peek(origin, 'k')).toMatchObject({ remaining: 10 })
  })

  it('names the field it does not know, and those it does', async () => {
    for (const field of ['limits', '__proto__', 'Cost']) {
      const problem = await problemOf(
        await post(origin, '/v1/take', `{"policy":"default","key":"k","${field}":{}}`),
        400,
        'invalid-request',
      )
      expect(problem.detail).toBe(
        `"${field}" is not a field of this body; its fields are policy, key, cost, limit.`,
      )
    }
  })

  it('names the policies there are', async () => {
    for (const policy of ['defaultt', 'Default', '__proto__', 'toString']) {
      const problem = await problemOf(
        await post(origin, '/v1/take', { policy, key: 'k' }),
        400,
        'unknown-policy',
      )
      expect(problem.detail).toBe(`There is no policy "${policy}"; there is default.`)
    }
  })

  it('is checked for a refund, too', async () => {
    await problemOf(await post(origin, '/v1/refund', {}), 400, 'invalid-request')
    await problemOf(await post(origin, '/v1/refund', { receipt: 7 }), 400, 'invalid-request')
    await problemOf(
      await post(origin, '/v1/refund', { receipt: 'default:x', units: -1 }),
      400,
      'invalid-request',
    )
    await problemOf(await post(origin, '/v1/refund', { receipt: 'x'.repeat(49_153) }), 400, 'invalid-request')
  })

  it('does not repeat the key in the answer', async () => {
    const response = await post(origin, '/v1/take', { policy: 'default', key: 'secret'.repeat(1000) })
    expect(await response.text()).not.toContain('secret')
    const broken = await post(origin, '/v1/take', '{"policy":"default","key":"secret}')
    expect(await broken.text()).not.toContain('secret')
  })
})

describe('a body that is no JSON', () => {
  const cases: [string, string | Uint8Array, RegExp][] = [
    ['empty', '', /The body is empty/],
    ['cut off', '{"policy":"default",', /can't be read as JSON/],
    ['of single quotes', "{'policy':'default'}", /at character 2: check its quotes, commas and braces\./],
    [
      'not UTF-8',
      new Uint8Array([...Buffer.from('{"policy":"default","key":"'), 0xff, ...Buffer.from('"}')]),
      /is not UTF-8 text/,
    ],
    ['deeply nested and cut off', '['.repeat(60_000), /can't be read as JSON/],
  ]
  it.each(cases)('is a 400 that says so: %s', async (_, body, detail) => {
    const problem = await problemOf(await post(origin, '/v1/take', body), 400, 'invalid-json')
    expect(problem.detail).toMatch(detail)
  })

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/jsonx', ';;'])(
    'is a 415 when it says %s',
    async (type) => {
      const problem = await problemOf(
        await post(origin, '/v1/take', GOOD, { 'content-type': type }),
        415,
        'unsupported-media-type',
      )
      expect(problem.detail).toMatch(/content-type: application\/json/)
    },
  )

  it('is a 400 when there is none', async () => {
    await problemOf(await ask(`${origin}/v1/take`, { method: 'POST' }), 400, 'invalid-request')
  })

  it('may say its charset, and may begin with a byte order mark', async () => {
    const response = await post(origin, '/v1/take', `\ufeff${JSON.stringify(GOOD)}`, {
      'content-type': 'application/json; charset=utf-8',
    })
    expect(response.status).toBe(200)
  })
})

describe('a body that is too large', () => {
  it.each([1_048_577, 5_000_000])('is a 413 that reaches a client still sending %i bytes', async (size) => {
    for (let i = 0; i < 5; i++) {
      const problem = await problemOf(await post(origin, '/v1/take', 'x'.repeat(size)), 413, 'body-too-large')
      expect(problem.detail).toBe('The body must be at most 1048576 bytes.')
    }
  })

  it('is a 413 when it never said how long it would be', async () => {
    const wire = await Wire.open(served.port)
    wire.send(postBytes('/v1/take', '').head.replace('Content-Length: 0', 'Transfer-Encoding: chunked'))
    for (let i = 0; i < 300; i++) wire.send(`1000\r\n${'x'.repeat(4096)}\r\n`)
    wire.send('0\r\n\r\n')
    const received = await wire.until('"detail":')
    wire.close()
    expect(problemIn(received, 'POST', '/v1/take')).toMatchObject({
      status: 413,
      type: problemType('body-too-large'),
    })
  })

  it('is cut off when it does not end', async () => {
    const wire = await Wire.open(served.port)
    wire.send(postBytes('/v1/take', '').head.replace('Content-Length: 0', 'Content-Length: 99999999999'))
    await wire.until('body-too-large')
    const megabyte = 'x'.repeat(1 << 20)
    for (let i = 0; i < 20; i++) wire.send(megabyte)
    expect(await wire.untilClosed()).toContain('HTTP/1.1 413 ')
  })
})

describe('a place that is not there', () => {
  it.each([
    '/nothing',
    '/v1',
    '/v1/take/',
    '/V1/take',
    '/v1/take/x',
    '//',
    '/index.html',
    '/*',
    '/*x',
    '/:a',
    '/:(',
    '/v1/:x(^take$)',
  ])('is a 404: %s', async (path) => {
    await problemOf(await ask(`${origin}${path}`), 404, 'not-found')
    await problemOf(await post(origin, path, GOOD), 404, 'not-found')
  })

  it.each([
    ['GET', '/v1/take', 'POST'],
    ['PUT', '/v1/peek?x=1', 'POST'],
    ['DELETE', '/v1/refund', 'POST'],
    ['OPTIONS', '/v1/take', 'POST'],
    ['PROPFIND', '/v1/take', 'POST'],
    ['POST', '/', 'GET, HEAD'],
    ['PATCH', '/healthz', 'GET, HEAD'],
  ])('is a 405 that says what is allowed: %s %s', async (method, path, allow) => {
    const response = await ask(`${origin}${path}`, { method })
    expect(response.headers.get('allow')).toBe(allow)
    await problemOf(response, 405, 'method-not-allowed')
  })

  it('is a 400 where the path is no path', async () => {
    await problemOf(await ask(`${origin}/%zz`), 400, 'invalid-request')
  })
})
