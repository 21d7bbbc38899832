import { afterEach, expect, it } from 'vitest'
import { parseConfig } from '../config/read-config.ts'
import { ask, batch, post, startService, take, takeAll } from '../testing/served.ts'
import { inClear, type LogLevel, type ShowKey } from './log.ts'

const CONFIG = parseConfig(
  'a.yaml',
  `policies: { default: { algorithm: fixed-window, limit: 1, window: 1h } }
limiters: { api: { policies: { ip: { algorithm: fixed-window, limit: 9, window: 1h }, user: { algorithm: fixed-window, limit: 9, window: 1h } } } }`,
)
let served: Awaited<ReturnType<typeof startService>>
afterEach(() => served.service.stop(1000))

async function serve(logLevel: LogLevel, more: { showKey?: ShowKey } = {}) {
  served = await startService({ config: CONFIG, logLevel, ...more })
  return served
}

type Line = { level: string; msg: string; path: string | null; checks?: { key?: string }[] } & Record<
  string,
  unknown
>

/** The lines so far; an answer is logged a moment after it was sent. */
async function lines(count: number): Promise<Line[]> {
  while (served.log.length < count) await new Promise((resolve) => setImmediate(resolve))
  return served.log.map((line) => JSON.parse(line) as Line)
}

it('has a line for each request, in JSON, and no key in clear', async () => {
  const { origin } = await serve('debug')
  await take(origin, 'secret-a')
  await take(origin, 'secret-a')
  await take(origin, 'secret-b')
  await takeAll(origin, 'api', { ip: 'secret-c', user: null }, { cost: 2 })
  const told = await lines(4)
  expect(told[0]).toEqual({
    level: 'debug',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    msg: 'answered',
    method: 'POST',
    path: '/v1/take',
    status: 200,
    ms: expect.any(Number),
    from: '127.0.0.1',
    checks: [{ policy: 'default', key: expect.stringMatching(/^#[0-9a-f]{12}$/), cost: 1, allowed: true }],
  })
  const [first, second, third, fourth] = told.map(({ checks }) => checks?.[0])
  expect(second).toEqual({ ...first, allowed: false, reason: 'limit', policy: 'default' })
  expect(third?.key).not.toBe(first?.key)
  expect(fourth).toEqual({
    limiter: 'api',
    keys: { ip: expect.stringMatching(/^#/), user: null },
    cost: 2,
    allowed: true,
  })
  expect(served.log.join('')).not.toContain('secret')
})

it('calls the same key differently in another process', async () => {
  const other = await startService({ config: CONFIG, logLevel: 'debug' })
  await take(other.origin, 'k')
  await other.service.stop(1000)
  await take((await serve('debug')).origin, 'k')
  const [mine] = await lines(1)
  expect(mine?.checks?.[0]?.key).not.toBe((JSON.parse(other.log[0] ?? '') as Line).checks?.[0]?.key)
})

it('has keys in clear only when asked', async () => {
  const { origin } = await serve('debug', { showKey: inClear })
  await take(origin, 'user:42\n\u001b[2J')
  const [line] = await lines(1)
  expect(line?.checks?.[0]?.key).toBe('user:42\n\u001b[2J')
  expect(served.log[0]).toContain('user:42\\n\\u001b[2J')
})

it('tells problems, and no path, query or body that a client made up', async () => {
  const { origin } = await serve('debug')
  await ask(`${origin}/secret?secret`)
  await post(origin, '/v1/take?secret=1', { policy: 'secret', key: 'secret' })
  await post(origin, '/v1/take', '{"policy":"default","key":"secret}')
  await batch(origin, [
    { policy: 'default', key: '' },
    { policy: 'default', key: 'secret', limit: 5 },
  ])
  const told = await lines(4)
  expect(told.map(({ path, status }) => [path, status])).toEqual([
    [null, 404],
    ['/v1/take', 400],
    ['/v1/take', 400],
    ['/v1/take', 200],
  ])
  expect(told[3]?.checks).toEqual([{ problem: 'urn:headgate:problem:limit-refused' }])
  expect(served.log.join('')).not.toContain('secret')
})

it.each(['info', 'warn', 'error', 'silent'] as const)(
  'has no line for a request at the level %s',
  async (level) => {
    const { origin } = await serve(level)
    await take(origin, 'k')
    await served.service.stop(1000)
    expect(served.log).toEqual([])
  },
)
