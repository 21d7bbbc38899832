import { createHash } from 'node:crypto'
import { gcra, slidingWindow, tokenBucket } from 'headgate'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { configOf } from '../config/config.ts'
import { parseConfig } from '../config/read-config.ts'
import { ask, decisionOf, post, startService, take } from '../testing/served.ts'
import { Wire } from '../testing/wire.ts'
import { renderPage } from './page.ts'

let served: Awaited<ReturnType<typeof startService>>
let page = ''
let headers = new Headers()

beforeEach(async () => {
  served = await startService()
  const response = await ask(served.origin)
  headers = response.headers
  page = await response.text()
})
afterEach(() => served.service.stop(1000))

it('says what is running, with which policies', () => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page).toContain('<code>default</code></td><td>fixed-window</td><td>10 per 1h</td>')
  expect(page).toContain('Keys in memory: 0 of at most 1,000')
})

it('shows lines to try that work as they stand', async () => {
  const { receipt = '' } = await take(served.origin, 'user:42')
  const lines = [...page.matchAll(/curl -s (http:\S+) [\s\S]*?-d &#39;(.*?)&#39;/g)]
  expect(lines.map(([, url]) => new URL(url ?? '').pathname)).toEqual(['/v1/take', '/v1/peek', '/v1/refund'])
  for (const [, url = '', body = ''] of lines) {
    const { origin, pathname } = new URL(url)
    expect(origin).toBe(served.origin)
    const response = await post(origin, pathname, body.replaceAll('&quot;', '"').replace('RECEIPT', receipt))
    if (pathname === '/v1/refund') expect(await response.json()).toEqual({ refunded: 1 })
    else expect(await decisionOf(response)).toMatchObject({ allowed: true })
  }
})

it('runs no script and loads nothing, and its policy lets it do neither', () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
  expect(page).not.toMatch(/<script|<link|src=|url\(|@import/)
})

it('does not repeat a host that is none into a line to paste', async () => {
  for (const host of ['a"><script>', 'evil;rm -rf ~', '$(id)', 'a b', '']) {
    const wire = await Wire.open(served.port)
    wire.send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await wire.untilClosed()).toContain('curl -s http://127.0.0.1:8787/v1/take')
  }
})

it('takes the host by which the reader came', () => {
  for (const host of ['gate.example.com', 'gate.example.com:8443', '[::1]:8787', '10.0.0.7:1']) {
    const options = {
      config: configOf({ default: slidingWindow({ limit: 1, window: '1s' }) }),
      keys: 0,
      maxKeys: 1,
      host,
    }
    expect(renderPage(options)).toContain(`curl -s http://${host}/v1/take`)
  }
})

it('tells in words what each policy admits, whatever it is called', () => {
  const policies = {
    'a<b': slidingWindow({ limit: 1000, window: '90s' }),
    once: tokenBucket({ capacity: 3, refill: 0, per: '1s' }),
    bucket: tokenBucket({ capacity: 20, refill: 10, per: '1m' }),
    flat: gcra({ rate: 2, per: '1s', burst: 1 }),
  }
  const html = renderPage({ config: configOf(policies), keys: 0, maxKeys: 1, host: undefined })
  expect(html).toContain('<code>a&lt;b</code></td><td>sliding-window</td><td>1,000 per 90s</td>')
  expect(html).toContain('<td>3 in all, never refilled</td>')
  expect(html).toContain('<td>bursts of 20, refilled at 20 per 2m</td>')
  expect(html).toContain('<td>1 per 500ms, no bursts</td>')
})

it('shows limiters with their policies, and how far a request may change a limit', async () => {
  const config = parseConfig(
    'a.yaml',
    `limiters:
  api:
    policies:
      ip: { algorithm: sliding-window, limit: 600, window: 1m }
      user: { algorithm: token-bucket, capacity: 50, refill: 10, per: 1s, maxLimit: 5000 }`,
  )
  const html = renderPage({ config, keys: 0, maxKeys: 1, host: undefined })
  expect(html).not.toContain('<h2>Policies</h2>')
  expect(html).toContain('<h3><code>api</code></h3>')
  expect(html).toContain('<td><code>ip</code></td><td>sliding-window</td><td>600 per 1m</td>')
  expect(html).toContain('<td>bursts of 50, refilled at 50 per 5s; up to 5,000 on request</td>')
  const composed = await startService({ config })
  const [, body = ''] = /-d &#39;(.*?)&#39;/.exec(html) ?? []
  const answer = await post(composed.origin, '/v1/take', body.replaceAll('&quot;', '"'))
  expect(await decisionOf(answer)).toMatchObject({ allowed: true, each: { ip: {}, user: {} } })
  await composed.service.stop(1000)
})

it('is healthy', async () => {
  const response = await ask(`${served.origin}/healthz`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok' })
})
