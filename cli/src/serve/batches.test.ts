import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../config/read-config.ts'
import { batch, post, problemOf, refund, startService } from '../testing/served.ts'

const CONFIG = parseConfig(
  'test.yaml',
  `
policies:
  default: { algorithm: fixed-window, limit: 10, window: 1h }
limiters:
  api:
    policies:
      ip: { algorithm: sliding-log, limit: 3, window: 1m }
      user: { algorithm: gcra, rate: 1, per: 1s, burst: 5 }
`,
)
let served: Awaited<ReturnType<typeof startService>>
let origin = ''

beforeEach(async () => {
  served = await startService({ config: CONFIG, maxKeys: 50 })
  origin = served.origin
})
afterEach(() => served.service.stop(1000))

describe('a batch', () => {
  it('decides each check for itself, in their order, and a bad one is its own problem', async () => {
    const answers = await batch(origin, [
      { policy: 'default', key: 'a', cost: 9 },
      { policy: 'nope', key: 'a' },
      { policy: 'default', key: 'a', cost: 2 },
      { policy: 'default', key: '' },
      { limiter: 'api', keys: { ip: 'a', user: 'u' } },
      'hello',
      { policy: 'default', key: 'a' },
      { checks: [] },
    ])
    expect(answers).toMatchObject([
      { allowed: true, remaining: 1 },
      { status: 400, type: 'urn:headgate:problem:unknown-policy', pointer: '/checks/1/policy' },
      { allowed: false, remaining: 1 },
      { status: 400, pointer: '/checks/3/key' },
      { allowed: true, each: { ip: {}, user: {} } },
      { status: 400, pointer: '/checks/5' },
      { allowed: true, remaining: 0 },
      { status: 400, pointer: '/checks/7/policy' },
    ])
  })

  it('may hold a hundred, and not one more, nor none', async () => {
    const checks = Array.from({ length: 100 }, () => ({ policy: 'default', key: 'crowd' }))
    const answers = (await batch(origin, checks)) as { allowed: boolean }[]
    expect(answers.map(({ allowed }) => allowed)).toEqual(checks.map((_, i) => i < 10))
    const many = await problemOf(
      await post(origin, '/v1/take', { checks: [...checks, checks[0]] }),
      400,
      'invalid-request',
    )
    expect(many).toMatchObject({
      pointer: '/checks',
      detail: '"checks" must have at most 100 entries; it is 101.',
    })
    const none = await problemOf(await post(origin, '/v1/take', { checks: [] }), 400, 'invalid-request')
    expect(none.detail).toBe('"checks" must have at least 1 entry; it is empty.')
    for (const body of [{ checks: {} }, { checks: null }, { checks, policy: 'default' }])
      await problemOf(await post(origin, '/v1/take', body), 400, 'invalid-request')
  })

  it('peeks, too, and charges nothing', async () => {
    const checks = [
      { policy: 'default', key: 'a', cost: 10 },
      { policy: 'default', key: 'a', cost: 10 },
    ]
    for (const answer of await batch(origin, checks, '/v1/peek'))
      expect(answer).toMatchObject({ allowed: true, remaining: 10 })
  })

  it('gives each charge a receipt of its own', async () => {
    const answers = (await batch(origin, [
      { policy: 'default', key: 'a', cost: 2 },
      { policy: 'default', key: 'a', cost: 3 },
    ])) as { receipt: string }[]
    expect(await refund(origin, answers[1]?.receipt)).toEqual({ refunded: 3 })
    expect(await refund(origin, answers[0]?.receipt)).toEqual({ refunded: 2 })
  })

  it('says which check found the store full, and answers the others', async () => {
    const checks = Array.from({ length: 51 }, (_, i) => ({ policy: 'default', key: `k${i}` }))
    const answers = await batch(origin, [...checks, { policy: 'default', key: 'k0' }])
    expect(answers[49]).toMatchObject({ allowed: true })
    expect(answers[50]).toMatchObject({
      status: 503,
      pointer: '/checks/50',
      type: 'urn:headgate:problem:store-saturated',
    })
    expect(answers[51]).toMatchObject({ allowed: true, remaining: 8 })
  })

  it('may be as large as a hundred checks of people are', async () => {
    const keys = { ip: '2001:db8:0123:4567:89ab:cdef:0123:4567', user: `user:${'0'.repeat(1000)}` }
    const answers = await batch(
      origin,
      Array.from({ length: 100 }, () => ({ limiter: 'api', keys })),
    )
    expect(answers).toHaveLength(100)
  })
})
