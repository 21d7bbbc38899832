import { describe, expect, it } from 'vitest'
import { JsonLogParser } from './json-log.ts'
import { keyChoice } from './key-choice.ts'

function parse(line: unknown, key = 'ip') {
  const bytes = Buffer.from(typeof line === 'string' ? line : JSON.stringify(line))
  return new JsonLogParser(keyChoice(key)).parse(bytes, 0, bytes.length)
}

const NGINX = {
  msec: '1431857103.123',
  remote_addr: '10.0.0.1',
  request: 'GET /a?b=c HTTP/1.1',
  status: '200',
}
const CADDY = {
  ts: 1431857103.1234567,
  request: { remote_ip: '10.0.0.1', method: 'GET', uri: '/a?b=c', headers: { 'X-Key': ['k1', 'k2'] } },
  status: 200,
}
const PINO = {
  time: 1431857103123,
  req: { method: 'GET', url: '/a?b=c', remoteAddress: '10.0.0.1' },
  res: { statusCode: 200 },
  user: { id: 7, 'a.b': 'dotted' },
  'user.name': 'ann',
}
const AT = 1431857103123

describe('what each dialect tells', () => {
  it.each([
    ['nginx', NGINX, AT],
    ['Caddy', CADDY, AT + 0.457],
    ['pino-http', PINO, AT],
  ])('%s', (_, line, timeMs) => {
    expect(parse(line)).toEqual({ timeMs, key: '10.0.0.1', status: 200 })
    expect(parse(line, 'path')).toEqual({ timeMs, key: '/a', status: 200 })
    expect(parse(line, 'ip+path')).toEqual({ timeMs, key: '10.0.0.1 /a', status: 200 })
  })

  it('is the client behind trusted proxies where Caddy knows it', () => {
    expect(parse({ ...CADDY, request: { ...CADDY.request, client_ip: '203.0.113.7' } })?.key).toBe(
      '203.0.113.7',
    )
  })

  it('is the same client whether its server listens on IPv6 or not', () => {
    const mapped = { ...PINO, req: { ...PINO.req, remoteAddress: '::ffff:10.0.0.1' } }
    expect(parse(mapped)?.key).toBe('10.0.0.1')
    expect(parse({ ...PINO, req: { ...PINO.req, remoteAddress: '::1' } })?.key).toBe('::1')
  })

  it.each([
    ['2015-05-17T10:05:03+00:00', 0],
    ['2015-05-17T12:05:03.123+02:00', 123],
    ['2015-05-17T10:05:03.123456Z', 123.456],
    ['2015-05-17T05:35:03-0430', 0],
  ])('reads the time %s', (time, ms) => {
    const { msec: _, ...rest } = NGINX
    expect(parse({ ...rest, time_iso8601: time })?.timeMs).toBe(Date.UTC(2015, 4, 17, 10, 5, 3) + ms)
    expect(parse({ ...CADDY, ts: time })?.timeMs).toBe(Date.UTC(2015, 4, 17, 10, 5, 3) + ms)
    expect(parse({ ...PINO, time })?.timeMs).toBe(Date.UTC(2015, 4, 17, 10, 5, 3) + ms)
  })

  it.each([
    ['user.id', '7'],
    ['user.name', 'ann'],
    ['req.method', 'GET'],
    ['res.statusCode', '200'],
  ])('has the field %s', (field, key) => {
    expect(parse(PINO, field)?.key).toBe(key)
  })

  it('has a list of texts, as headers are, in one key', () => {
    expect(parse(CADDY, 'request.headers.X-Key')?.key).toBe('k1, k2')
  })
})

describe('what is no request', () => {
  const { status: _, ...unanswered } = NGINX
  it.each([
    ['broken JSON', '{"msec": 1'],
    ['a list', '[1]'],
    ['no status', unanswered],
    ['a status in words', { ...NGINX, status: 'ok' }],
    ['no client', { ...NGINX, remote_addr: '-' }],
    ['no time', { ...NGINX, msec: undefined }],
    ['a time without its zone', { ...NGINX, msec: undefined, time_iso8601: '2015-05-17T10:05:03' }],
    ['a day there is not', { ...NGINX, msec: undefined, time_iso8601: '2015-02-29T10:05:03Z' }],
    ['a time before 1970', { ...PINO, time: -1 }],
    ['a time past 2109', { ...PINO, time: 2 ** 42 }],
    ['a log line that is not of a request', { level: 30, time: AT, msg: 'listening' }],
    ['a request that is not answered yet', { ...PINO, res: undefined }],
  ])('%s', (_, line) => {
    expect(parse(line)).toBeUndefined()
  })

  it.each(['nothing', 'user', 'user.constructor', '__proto__', 'user.id.x', 'req'])(
    'lacks the key %s',
    (field) => {
      expect(parse(PINO, field)).toBeUndefined()
    },
  )
})
