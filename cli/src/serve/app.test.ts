import { StoreError } from 'headgate'
import { describe, expect, it } from 'vitest'
import { configOf } from '../config/config.ts'
import { inject, tenAnHour } from '../testing/served.ts'
import { type AppOptions, createApp } from './app.ts'
import { Desk } from './desk.ts'
import { createLog, inClear } from './log.ts'
import { problemType } from './problems.ts'
import { RequestLog } from './request-log.ts'

const GOOD = { policy: 'default', key: 'k' }
const OPTIONS = { config: configOf(tenAnHour), maxKeys: 10 }

function appWith(options: Partial<AppOptions>) {
  return createApp({
    desk: new Desk(OPTIONS),
    onUnexpected: () => undefined,
    isStopping: () => false,
    isLast: () => false,
    requestLog: new RequestLog(createLog({ write: () => undefined }, 'silent'), inClear),
    ...options,
  })
}

/** A desk where every question fails in one way. */
class BrokenDesk extends Desk {
  readonly #error: Error

  constructor(error: Error) {
    super(OPTIONS)
    this.#error = error
  }

  override async take(): Promise<never> {
    throw this.#error
  }

  override async refund(): Promise<never> {
    throw this.#error
  }
}

describe('a failure that nobody expected', () => {
  const error = new Error('secret: user:42')
  it('is a 500 that gives nothing away, and is handed over whole to be looked into', async () => {
    const log: unknown[] = []
    const app = appWith({ desk: new BrokenDesk(error), onUnexpected: (told) => log.push(told) })
    for (const [url, body] of [
      ['/v1/take', GOOD],
      ['/v1/refund', { receipt: 'x' }],
    ] as const) {
      const response = await inject(app, 'POST', url, body)
      expect(response.json()).toMatchObject({ status: 500, type: problemType('internal') })
      expect(response.body).not.toContain('secret')
    }
    expect(log).toEqual([error, error])
  })

  it('is an entry of its own in a batch, told once', async () => {
    const log: unknown[] = []
    const app = appWith({ desk: new BrokenDesk(error), onUnexpected: (told) => log.push(told) })
    const response = await inject(app, 'POST', '/v1/take', { checks: [GOOD] })
    expect(response.json()).toEqual({
      decisions: [expect.objectContaining({ status: 500, pointer: '/checks/0' })],
    })
    expect(log).toEqual([error])
  })
})

describe('a store that fails', () => {
  it('is a 503 and never a verdict', async () => {
    const log: unknown[] = []
    const error = new StoreError('ERR_HEADGATE_STORE', 'the store failed')
    const app = appWith({ desk: new BrokenDesk(error), onUnexpected: (told) => log.push(told) })
    const response = await inject(app, 'POST', '/v1/take', GOOD)
    expect(response.json()).toMatchObject({ status: 503, type: problemType('store-unavailable') })
    expect(log).toEqual([error])
  })
})

describe('while it is stopping', () => {
  it('is not healthy, still decides, and asks for no more on its connections', async () => {
    const app = appWith({ isStopping: () => true, isLast: () => true })
    const health = await inject(app, 'GET', '/healthz')
    expect(health.json()).toMatchObject({ status: 503, type: problemType('draining') })
    expect(health.headers).toMatchObject({ connection: 'close', 'retry-after': '1' })
    const decision = await inject(app, 'POST', '/v1/take', GOOD)
    expect(decision.headers['connection']).toBe('close')
    expect(decision.json()).toMatchObject({ allowed: true })
  })
})
