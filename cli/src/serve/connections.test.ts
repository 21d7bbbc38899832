import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { peek, startService, take } from '../testing/served.ts'
import { answersIn, postBytes, problemIn, Wire } from '../testing/wire.ts'
import { problemType } from './problems.ts'

let served: Awaited<ReturnType<typeof startService>>
let origin = ''

beforeEach(async () => {
  served = await startService()
  origin = served.origin
})
afterEach(() => served.service.stop(1000))

const GOOD = { policy: 'default', key: 'k' }

describe('what is no request', () => {
  const cases: [string, string, number, string][] = [
    ['garbage', 'hello\r\n\r\n', 400, 'invalid-request'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'invalid-request'],
    ['TLS', '\u0016\u0003\u0001\u0000', 400, 'invalid-request'],
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method-not-allowed'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'two lengths',
      'POST /v1/take HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
      'invalid-request',
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid-request'],
  ]
  it.each(cases)('is told so, and the connection is closed: %s', async (_, bytes, status, kind) => {
    const wire = await Wire.open(served.port)
    wire.send(bytes)
    const received = await wire.untilClosed()
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(problemIn(received)).toMatchObject({ status: status, type: problemType(kind) })
    expect(await take(origin, 'still-there')).toMatchObject({ allowed: true })
  })

  it('is given up on when it comes too slowly, and holds up nobody', async () => {
    const patient = await startService({ requestTimeoutMs: 300 })
    const { head, body } = postBytes('/v1/take', JSON.stringify(GOOD))
    const slow = [head.slice(0, 20), head, head + body.slice(0, 5)]
    const wires = await Promise.all(slow.map(() => Wire.open(patient.port)))
    for (const [i, wire] of wires.entries()) wire.send(slow[i] ?? '')
    expect(await take(patient.origin, 'k')).toMatchObject({ allowed: true, remaining: 9 })
    for (const wire of wires) {
      const received = await wire.untilClosed()
      expect(received).toMatch(/^HTTP\/1.1 408 /)
      expect(problemIn(received)).toMatchObject({ status: 408, type: problemType('request-timeout') })
    }
    expect(await peek(patient.origin, 'k')).toMatchObject({ remaining: 9 })
    await patient.service.stop(1000)
    expect(patient.log).toEqual([])
  })
})

describe('requests on one connection', () => {
  it('are answered in their order when they come before the answers', async () => {
    const { head, body } = postBytes('/v1/take', JSON.stringify({ policy: 'default', key: 'pipe' }))
    const wire = await Wire.open(served.port)
    wire.send((head + body).repeat(12))
    const received = await wire.until('"source"', 12)
    wire.close()
    const remaining = answersIn(received, 'POST', '/v1/take').map(
      ({ body }) => (body as { remaining: number }).remaining,
    )
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
  })

  it('are lost without harm when the client goes away', async () => {
    const { head, body } = postBytes('/v1/take', JSON.stringify(GOOD))
    for (const part of [head, head + body.slice(0, 3), head + body]) {
      const wire = await Wire.open(served.port)
      wire.send(part)
      wire.close()
    }
    expect(await take(origin, 'other')).toMatchObject({ allowed: true })
    expect(served.log).toEqual([])
  })
})
