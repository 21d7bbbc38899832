import { gcra, type Policies, slidingLog, tokenBucket } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { peek, post, problemOf, refund, startService, take, tenAnHour } from '../testing/served.ts'

const CLOCK_START_MS = 1_800_000_000_000
let served: Awaited<ReturnType<typeof startService>>
let clock: ManualClock
let policies: Policies
let origin = ''

beforeEach(async () => {
  clock = new ManualClock(CLOCK_START_MS)
  policies = {
    ...tenAnHour,
    burst: tokenBucket({ capacity: 5, refill: 0, per: '1s' }),
    none: slidingLog({ limit: 0, window: '1s' }),
    flat: gcra({ rate: 1, per: '1s', burst: 1 }),
  }
  served = await startService({ policies, clock, maxKeys: 3 })
  origin = served.origin
})
afterEach(() => served.service.stop(1000))

describe('take', () => {
  it('admits with a receipt, and tells the decision', async () => {
    expect(await take(origin, 'user:42')).toEqual({
      allowed: true,
      policy: 'default',
      limit: 10,
      remaining: 9,
      decidedAtMs: CLOCK_START_MS,
      resetAtMs: CLOCK_START_MS + 3_600_000,
      source: 'store',
      each: { default: { limit: 10, remaining: 9, resetAtMs: CLOCK_START_MS + 3_600_000 } },
      receipt: expect.stringMatching(/^default:./),
    })
  })

  it('answers a denial with status 200, the wait and no receipt', async () => {
    await take(origin, 'user:42', { cost: 8 })
    clock.advance(1000)
    expect(await take(origin, 'user:42', { cost: 3 })).toEqual({
      allowed: false,
      reason: 'limit',
      policy: 'default',
      limit: 10,
      remaining: 2,
      decidedAtMs: CLOCK_START_MS + 1000,
      resetAtMs: CLOCK_START_MS + 3_600_000,
      retryAtMs: CLOCK_START_MS + 3_600_000,
      retryAfterMs: 3_599_000,
      source: 'store',
      each: { default: { limit: 10, remaining: 2, resetAtMs: CLOCK_START_MS + 3_600_000 } },
    })
  })

  it('says null for what never comes', async () => {
    expect(await take(origin, 'a', { cost: 11 })).toMatchObject({
      reason: 'never',
      retryAtMs: null,
      retryAfterMs: null,
    })
    expect(await take(origin, 'a', { policy: 'none' })).toMatchObject({
      allowed: false,
      reason: 'never',
      retryAtMs: null,
    })
    expect(await take(origin, 'a', { policy: 'burst', cost: 5 })).toMatchObject({ resetAtMs: null })
    expect(await take(origin, 'a', { policy: 'burst' })).toMatchObject({ reason: 'limit', retryAtMs: null })
  })

  it('admits again at the instant it named, and not before', async () => {
    await take(origin, 'a', { policy: 'flat' })
    const denied = await take(origin, 'a', { policy: 'flat' })
    clock.set((denied.retryAtMs ?? 0) - 0.001)
    expect(await take(origin, 'a', { policy: 'flat' })).toMatchObject({ allowed: false })
    clock.set(denied.retryAtMs ?? 0)
    expect(await take(origin, 'a', { policy: 'flat' })).toMatchObject({ allowed: true })
  })

  it('gives no receipt for a cost of 0, which charges nothing', async () => {
    const decision = await take(origin, 'a', { cost: 0 })
    expect(decision).toMatchObject({ allowed: true, remaining: 10 })
    expect(decision).not.toHaveProperty('receipt')
  })

  it('admits exactly the limit of many that come at once', async () => {
    const decisions = await Promise.all(Array.from({ length: 200 }, () => take(origin, 'crowd')))
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(10)
    expect(new Set(decisions.map((decision) => decision.receipt)).size).toBe(11)
  })

  it('keeps a quota for each policy and for each key', async () => {
    await take(origin, 'a', { cost: 10 })
    expect(await take(origin, 'b')).toMatchObject({ remaining: 9 })
    expect(await take(origin, 'a', { policy: 'burst' })).toMatchObject({ policy: 'burst', remaining: 4 })
  })
})

describe('peek', () => {
  it('decides, charges nothing, and gives no receipt', async () => {
    expect(await peek(origin, 'a', { cost: 11 })).toMatchObject({ allowed: false, reason: 'never' })
    expect(await peek(origin, 'a', { cost: 10 })).toMatchObject({ allowed: true, remaining: 10 })
    expect(await peek(origin, 'a')).not.toHaveProperty('receipt')
    expect(await take(origin, 'a')).toMatchObject({ remaining: 9 })
  })
})

describe('refund', () => {
  it('gives back once', async () => {
    const { receipt } = await take(origin, 'a', { cost: 4 })
    expect(await refund(origin, receipt)).toEqual({ refunded: 4 })
    expect(await peek(origin, 'a')).toMatchObject({ remaining: 10 })
    expect(await refund(origin, receipt)).toEqual({ refunded: 0 })
    expect(await peek(origin, 'a')).toMatchObject({ remaining: 10 })
  })

  it('gives back once even when asked many times at once', async () => {
    const { receipt } = await take(origin, 'a', { cost: 4 })
    await take(origin, 'a', { cost: 6 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(origin, receipt)))
    expect(answers.filter((answer) => JSON.stringify(answer) === '{"refunded":4}')).toHaveLength(1)
    expect(await peek(origin, 'a')).toMatchObject({ remaining: 4 })
  })

  it('gives back a part, and never more than the charge', async () => {
    const first = await take(origin, 'a', { cost: 4 })
    const second = await take(origin, 'a', { cost: 4 })
    expect(await refund(origin, first.receipt, 1)).toEqual({ refunded: 1 })
    expect(await refund(origin, first.receipt)).toEqual({ refunded: 0 })
    expect(await refund(origin, second.receipt, 1_000_000)).toEqual({ refunded: 4 })
    expect(await peek(origin, 'a')).toMatchObject({ remaining: 7 })
  })

  it('gives back nothing once the window has passed', async () => {
    const { receipt } = await take(origin, 'a')
    clock.advance(3_600_000)
    expect(await refund(origin, receipt)).toEqual({ refunded: 0 })
  })

  it('gives back nothing of a charge that another service, or this one before a restart, has made', async () => {
    const other = await startService({ policies, clock })
    const { receipt } = await take(other.origin, 'a')
    await other.service.stop(1000)
    await take(origin, 'a')
    expect(await refund(origin, receipt)).toEqual({ refunded: 0 })
    expect(await peek(origin, 'a')).toMatchObject({ remaining: 9 })
  })

  it('takes no text for a receipt that it did not give out', async () => {
    const { receipt = '' } = await take(origin, 'a')
    const texts = [
      'x',
      ':',
      'default',
      'default:',
      'default:x',
      'default:hg1.',
      'nope:hg1.e30.abc',
      '__proto__:x',
      '\u0000',
      '🧾',
    ]
    texts.push(receipt.slice(0, -1), receipt.replace('default:', 'burst:'), receipt.replace('default:', ''))
    for (const text of texts) {
      const problem = await problemOf(
        await post(origin, '/v1/refund', { receipt: text }),
        400,
        'invalid-receipt',
      )
      expect(problem).toMatchObject({ pointer: '/receipt' })
    }
    expect(await refund(origin, receipt)).toEqual({ refunded: 1 })
  })
})

describe('a full store', () => {
  it('is a 503 for new keys, costs no known key its quota, and is told in the log without a key', async () => {
    for (const key of ['one', 'two', 'three']) await take(origin, key)
    const full = await post(origin, '/v1/take', { policy: 'default', key: 'secret-four' })
    expect(full.headers.get('retry-after')).toBe('1')
    await problemOf(full, 503, 'store-saturated')
    expect(await take(origin, 'one')).toMatchObject({ allowed: true, remaining: 8 })
    expect(served.log).toHaveLength(1)
    expect(JSON.parse(served.log.join())).toMatchObject({
      level: 'warn',
      maxKeys: 3,
      msg: expect.stringMatching(/^the store is full with live keys/),
    })
    expect(served.log.join()).not.toContain('secret')
    clock.advance(3_600_000)
    expect(await take(origin, 'four')).toMatchObject({ allowed: true, remaining: 9 })
  })
})

describe('keys', () => {
  const texts = [
    'plain',
    ' ',
    '\u0000',
    'a\u0000b',
    '__proto__',
    'constructor',
    '"quoted" \\ {json}',
    '{a}{b}:c',
    'é',
    'e\u0301',
    '日本語',
    '👩‍🚀',
    '\ud800',
    '\udc00',
    '\u202eevil',
    'x'.repeat(4096),
    `${'x'.repeat(4095)}y`,
    '😀'.repeat(4096),
  ]

  it('may be any text, and no two of them share a quota', async () => {
    await served.service.stop(1000)
    served = await startService({ clock })
    for (const key of texts) {
      expect(await take(served.origin, key), JSON.stringify(key.slice(0, 20))).toMatchObject({ remaining: 9 })
    }
    for (const key of texts) expect(await take(served.origin, key)).toMatchObject({ remaining: 8 })
  })

  it('are the text and not its spelling in JSON', async () => {
    await take(origin, 'é')
    const response = await post(origin, '/v1/take', '{"policy":"default","key":"\\u00e9"}')
    expect(await response.json()).toMatchObject({ remaining: 8 })
  })

  it('come back whole through a receipt', async () => {
    for (const key of ['\ud800', '😀'.repeat(100), '\u0000'.repeat(256)]) {
      const { receipt } = await take(origin, key)
      expect(await refund(origin, receipt)).toEqual({ refunded: 1 })
    }
  })
})
