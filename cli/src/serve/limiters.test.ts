import { ManualClock } from 'headgate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../config/read-config.ts'
import { post, problemOf, refund, startService, take, takeAll } from '../testing/served.ts'

const START_MS = 1_800_000_000_000
const CONFIG = parseConfig(
  'test.yaml',
  `
policies:
  default: { algorithm: fixed-window, limit: 10, window: 1h }
  plan: { algorithm: token-bucket, capacity: 5, refill: 1, per: 1s, maxLimit: 50 }
limiters:
  api:
    policies:
      ip: { algorithm: sliding-log, limit: 3, window: 1m, maxLimit: 6 }
      user: { algorithm: gcra, rate: 1, per: 1s, burst: 5 }
  web:
    policies:
      ip: { algorithm: sliding-log, limit: 3, window: 1m }
  wide:
    policies:
${Array.from({ length: 16 }, (_, i) => `      policy-${i}-${'x'.repeat(50)}: { algorithm: sliding-window, limit: 9, window: 366d, strict: true }`).join('\n')}
`,
)
let served: Awaited<ReturnType<typeof startService>>
let clock: ManualClock
let origin = ''

beforeEach(async () => {
  clock = new ManualClock(START_MS)
  served = await startService({ config: CONFIG, clock, maxKeys: 50 })
  origin = served.origin
})
afterEach(() => served.service.stop(1000))

describe('a limiter of several policies', () => {
  it('tells the policy that binds, and the numbers of each', async () => {
    expect(await takeAll(origin, 'api', { ip: 'a', user: 'u' })).toEqual({
      allowed: true,
      policy: 'ip',
      limit: 3,
      remaining: 2,
      decidedAtMs: START_MS,
      resetAtMs: START_MS + 60_000,
      source: 'store',
      each: {
        ip: { limit: 3, remaining: 2, resetAtMs: START_MS + 60_000 },
        user: { limit: 5, remaining: 4, resetAtMs: START_MS + 1000 },
      },
      receipt: expect.stringMatching(/^api:hg1\./),
    })
  })

  it('charges none of them when one denies', async () => {
    for (let i = 0; i < 3; i++) await takeAll(origin, 'api', { ip: 'a', user: `u${i}` })
    const denied = await takeAll(origin, 'api', { ip: 'a', user: 'fresh' })
    expect(denied).toMatchObject({ allowed: false, reason: 'limit', policy: 'ip', retryAfterMs: 60_000 })
    expect(denied.each['user']).toMatchObject({ remaining: 5 })
    expect(denied).not.toHaveProperty('receipt')
  })

  it('leaves out policies without a key', async () => {
    for (const keys of [{ user: 'u' }, { user: 'u', ip: null }]) {
      const decision = await takeAll(origin, 'api', keys)
      expect(Object.keys(decision.each)).toEqual(['user'])
    }
  })

  it('has quotas of its own, whatever others call their policies', async () => {
    await takeAll(origin, 'api', { ip: 'a' }, { cost: 3 })
    expect(await takeAll(origin, 'web', { ip: 'a' })).toMatchObject({ allowed: true, remaining: 2 })
  })

  it('gives back all of a charge, once', async () => {
    const { receipt } = await takeAll(origin, 'api', { ip: 'a', user: 'u' }, { cost: 3 })
    expect(await refund(origin, receipt)).toEqual({ refunded: 3 })
    expect(await refund(origin, receipt)).toEqual({ refunded: 0 })
    const after = await takeAll(origin, 'api', { ip: 'a', user: 'u' })
    expect(after.each).toMatchObject({ ip: { remaining: 2 }, user: { remaining: 4 } })
  })

  it('is refused where a name is wrong, rather than not applied', async () => {
    const cases: [object, string, string, RegExp][] = [
      [
        { limiter: 'apy', keys: { ip: 'a' } },
        'unknown-limiter',
        '/limiter',
        /There is no limiter "apy"; there is api, web, wide\./,
      ],
      [{ limiter: 'default', keys: { default: 'a' } }, 'unknown-limiter', '/limiter', /there is api/],
      [{ policy: 'api', key: 'a' }, 'unknown-policy', '/policy', /there is default, plan\./],
      [
        { limiter: 'api', keys: { 'i/p~': 'secret' } },
        'invalid-request',
        '/keys/i~1p~0',
        /^"i\/p~" in "keys" is no policy of limiter "api", which has ip, user\.$/,
      ],
      [{ limiter: 'api', keys: { toString: 'a' } }, 'invalid-request', '/keys/toString', /is no policy/],
      [
        { limiter: 'api', keys: { ip: 'a' }, limits: { usr: 1 } },
        'invalid-request',
        '/limits/usr',
        /^"usr" in "limits" is no policy/,
      ],
      [
        { limiter: 'api', keys: { ip: null } },
        'invalid-request',
        '/keys',
        /a key for at least one of ip, user/,
      ],
      [
        { limiter: 'api', keys: {} },
        'invalid-request',
        '/keys',
        /"keys" must have at least 1 entry; it is empty/,
      ],
      [{ limiter: 'api' }, 'invalid-request', '/keys', /"keys" is missing/],
      [{ keys: { ip: 'a' } }, 'invalid-request', '/limiter', /"limiter" is missing/],
      [{ limiter: 'api', keys: { ip: 7 } }, 'invalid-request', '/keys/ip', /"keys.ip" must be text/],
      [
        { limiter: 'api', keys: { ip: '' } },
        'invalid-request',
        '/keys/ip',
        /"keys.ip" must be text of at least 1 character/,
      ],
      [
        { limiter: 'api', policy: 'default', key: 'a', keys: { ip: 'a' } },
        'invalid-request',
        '',
        /"limiter" is not a field of this body/,
      ],
    ]
    for (const [body, kind, pointer, detail] of cases) {
      const problem = await problemOf(await post(origin, '/v1/take', body), 400, kind)
      expect(problem.detail).toMatch(detail)
      expect(problem.pointer ?? '').toBe(pointer)
      expect(problem.detail).not.toContain('secret')
    }
    expect(await takeAll(origin, 'api', { ip: 'a' })).toMatchObject({ remaining: 2 })
  })

  it('gives a receipt that can be redeemed, however many and long its keys are', async () => {
    const [, own] = [...CONFIG.limiters].find(([name]) => name === 'wide') ?? []
    const key = '\ud800'.repeat(256)
    const keys = Object.fromEntries([...(own?.keys() ?? [])].map((name) => [name, key]))
    const { receipt = '' } = await takeAll(origin, 'wide', keys)
    expect(receipt.length).toBeGreaterThan(32_000)
    expect(await refund(origin, receipt)).toEqual({ refunded: 1 })
  })
})

describe('a limit that a request brings', () => {
  it('counts instead of the declared one, and what is used stays used', async () => {
    await take(origin, 'a', { policy: 'plan', cost: 5 })
    expect(await take(origin, 'a', { policy: 'plan' })).toMatchObject({ allowed: false, limit: 5 })
    expect(await take(origin, 'a', { policy: 'plan', limit: 50 })).toMatchObject({ limit: 50, remaining: 44 })
    expect(await take(origin, 'a', { policy: 'plan', limit: 0 })).toMatchObject({
      allowed: false,
      reason: 'never',
      limit: 0,
    })
    const decision = await takeAll(origin, 'api', { ip: 'a', user: 'u' }, { limits: { ip: 6 } })
    expect(decision.each).toMatchObject({ ip: { limit: 6, remaining: 5 }, user: { limit: 5 } })
  })

  it('is refunded by its receipt', async () => {
    const { receipt } = await take(origin, 'a', { policy: 'plan', cost: 40, limit: 50 })
    expect(await refund(origin, receipt)).toEqual({ refunded: 40 })
    expect(await take(origin, 'a', { policy: 'plan' })).toMatchObject({ remaining: 4 })
  })

  it('is refused above what is declared, and where nothing is', async () => {
    const cases: [object, string, string][] = [
      [
        { policy: 'plan', key: 'a', limit: 51 },
        '/limit',
        'The limit must be at most 50, the maxLimit of policy "plan"; it is 51.',
      ],
      [
        { policy: 'default', key: 'a', limit: 1 },
        '/limit',
        'Policy "default" declares no maxLimit, so that no request may bring a limit of its own.',
      ],
      [
        { limiter: 'api', keys: { ip: 'a' }, limits: { ip: 7 } },
        '/limits/ip',
        'The limit must be at most 6, the maxLimit of policy "ip"; it is 7.',
      ],
      [
        { limiter: 'api', keys: { ip: 'a' }, limits: { user: 1 } },
        '/limits/user',
        'Policy "user" declares no maxLimit, so that no request may bring a limit of its own.',
      ],
    ]
    for (const [body, pointer, detail] of cases) {
      for (const path of ['/v1/take', '/v1/peek']) {
        expect(await problemOf(await post(origin, path, body), 400, 'limit-refused')).toMatchObject({
          pointer,
          detail,
        })
      }
    }
  })
})

describe('redeemed receipts', () => {
  it('are remembered until they are void, and no more of them than keys', async () => {
    const receipts: (string | undefined)[] = []
    const config = parseConfig(
      'a.yaml',
      'policies: { default: { algorithm: fixed-window, limit: 1000, window: 1h } }',
    )
    const small = await startService({ config, clock, maxKeys: 3 })
    for (let i = 0; i < 6; i++) receipts.push((await take(small.origin, 'a')).receipt)
    for (const receipt of receipts.slice(0, 3))
      expect(await refund(small.origin, receipt)).toEqual({ refunded: 1 })
    // One that is not remembered could be redeemed twice: rather not at all, for now.
    const full = await problemOf(
      await post(small.origin, '/v1/refund', { receipt: receipts[3] }),
      503,
      'store-saturated',
    )
    expect(full.detail).toMatch(/^As many redeemed receipts are remembered as it may hold/)
    for (const receipt of receipts.slice(0, 3))
      expect(await refund(small.origin, receipt)).toEqual({ refunded: 0 })
    // A receipt is void when its window has passed, for a clock that goes back one window more.
    clock.advance(2 * 3_600_000)
    const { receipt } = await take(small.origin, 'a')
    expect(await refund(small.origin, receipt)).toEqual({ refunded: 1 })
    for (const old of receipts) expect(await refund(small.origin, old)).toEqual({ refunded: 0 })
    await small.service.stop(1000)
  })
})
