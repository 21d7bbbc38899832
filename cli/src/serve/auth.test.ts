import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, peek, post, problemOf, startService } from '../testing/served.ts'
import { readTokens } from './auth.ts'

const NEW = 'new-token-0123456789+/.~_=='
const OLD = 'old-token-0123456789'
let folder = ''
let served: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-auth-'))
  const file = join(folder, 'tokens')
  writeFileSync(file, `\ufeff${NEW}\r\n\n  ${OLD}  \n`)
  served = await startService({ tokens: await readTokens(file) })
})
afterAll(async () => {
  await served.service.stop(1000)
  rmSync(folder, { recursive: true })
})

const GOOD = { policy: 'default', key: 'k' }

it('lets in with any of its tokens, however the scheme is spelt', async () => {
  for (const authorization of [`Bearer ${NEW}`, `bearer ${OLD}`, `BEARER   ${OLD}`]) {
    expect((await post(served.origin, '/v1/peek', GOOD, { authorization })).status).toBe(200)
  }
})

it.each([
  '',
  'Bearer',
  'Bearer ',
  NEW,
  `Basic ${NEW}`,
  `Bearer ${NEW.slice(0, -1)}`,
  `Bearer ${NEW}x`,
  `Bearer ${NEW} ${OLD}`,
  `Bearer ${NEW.toUpperCase()}`,
  'Bearer undefined',
])('keeps out, and charges nothing, with %j', async (authorization) => {
  for (const path of ['/v1/take', '/v1/peek', '/v1/refund']) {
    const response = await post(served.origin, path, GOOD, { authorization })
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="headgate"')
    await problemOf(response, 401, 'unauthorized')
  }
  expect((await post(served.origin, '/v1/peek', GOOD, { authorization: `Bearer ${NEW}` })).status).toBe(200)
})

it('keeps out of everything but the health and the description, and of paths there are not', async () => {
  for (const path of ['/', '/nothing', '/v1/take', '//healthz', '/healthz/', '/v1/../healthz/x'])
    await problemOf(await ask(`${served.origin}${path}`), 401, 'unauthorized')
  for (const path of ['/healthz', '/openapi.json', '/healthz?x=1'])
    expect((await ask(`${served.origin}${path}`)).status).toBe(200)
})

it('reads no body of those it keeps out', async () => {
  await problemOf(await post(served.origin, '/v1/take', 'x'.repeat(3_000_000)), 401, 'unauthorized')
})

it('asks for none where none was declared', async () => {
  const open = await startService()
  expect(await peek(open.origin, 'k')).toMatchObject({ allowed: true })
  await open.service.stop(1000)
})
