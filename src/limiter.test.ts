import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Store } from './index.ts'
import {
  type Admitted,
  type Decision,
  type Denied,
  fixedWindow,
  Limiter,
  MemoryStore,
  type Reservation,
  slidingLog,
  tokenBucket,
} from './index.ts'
import { FaultyStore, ManualClock } from './testing/index.ts'

const policy = fixedWindow({ limit: 2, window: '1s' })

describe('types', () => {
  it('one policy takes a text, several take a key by name', () => {
    const one = new Limiter({ policy })
    const two = new Limiter({ policies: { ip: policy, user: policy } })
    expectTypeOf(one.take).parameter(0).toEqualTypeOf<string>()
    expectTypeOf(two.take)
      .parameter(0)
      .toEqualTypeOf<{ readonly ip: string | undefined; readonly user: string | undefined }>()
    expectTypeOf(two.take({ ip: 'a', user: undefined })).resolves.toEqualTypeOf<Decision<'ip' | 'user'>>()
    expectTypeOf(two.reserve({ ip: 'a', user: 'b' })).resolves.toEqualTypeOf<Reservation<'ip' | 'user'>>()
    expectTypeOf(two.wait({ ip: 'a', user: 'b' })).resolves.toEqualTypeOf<Admitted<'ip' | 'user'>>()
    expectTypeOf(two.takeSync({ ip: 'a', user: 'b' }).each.ip).toEqualTypeOf<
      { readonly limit: number; readonly remaining: number; readonly resetAtMs: number } | undefined
    >()
    const decision = one.takeSync('a')
    if (!decision.allowed) expectTypeOf(decision).toEqualTypeOf<Denied<string>>()
    // @ts-expect-error A policy that was not declared has no key.
    expect(() => two.takeSync({ ip: 'a', user: 'b', path: 'c' })).toThrow(
      /^key.path is unknown to key, which has /,
    )
    // @ts-expect-error Nor is there one text for two policies.
    expect(() => two.takeSync('a')).toThrow(/^key must be an object with ip, user; it is "/)
  })

  it('a store that it did not make asks for a name, and takeSync for a store that answers at once', () => {
    const store = new MemoryStore()
    // @ts-expect-error The name is missing.
    expect(() => new Limiter({ policy, store })).toThrow(/^name must be/)
    const later: Limiter<typeof policy, Store> = new Limiter({
      policy,
      store: new FaultyStore(store),
      name: 'later',
    })
    // @ts-expect-error This store has promises only.
    expect(() => later.takeSync('a')).toThrow(/^store must have decideSync\(\)/)
    expectTypeOf(new Limiter({ policy, store, name: 'named' }).store).toEqualTypeOf<MemoryStore>()
  })
})

describe('options', () => {
  const made = (options: object) => () => new Limiter(options as { policy: typeof policy })

  it.each([
    [undefined, 'Limiter must be an object with name, store'],
    [{}, 'policies must be an object with a policy by name, in place of policy; it is undefined'],
    [
      { policy, policies: { a: policy } },
      'policies must be an object with a policy by name, in place of policy',
    ],
    [{ policies: {} }, 'policies must be an object with a policy by name'],
    [{ policies: { a: {} } }, 'policies.a must be made by a policy maker'],
    [{ policy: { algorithm: 'gcra', limit: 1, windowMs: 1 } }, 'policy must be made by a policy maker'],
    [{ policy, window: 1 }, 'window is unknown to Limiter, which has name, store'],
    [{ policy, maxWaiters: 0 }, 'maxWaiters must be a whole number from 1 to 1000000; it is 0'],
    [{ policy, shared: 1 }, 'shared must be one of false, true; it is 1'],
    [{ policy, name: '' }, 'name must be a text that is not empty'],
    [{ policy, clock: {} }, 'clock must have nowMs() and sleepUntil(); it is of type object'],
    [{ policy, name: 'a', store: {} }, 'store must have decide(); it is of type object'],
  ])('%j is refused: %s', (options, message) => {
    expect(made(options as object)).toThrow(message)
  })

  it('the clock of the limiter and that of its store must not differ', () => {
    const store = new MemoryStore({ clock: new ManualClock(0) })
    expect(() => new Limiter({ policy, store, name: 'a', clock: new ManualClock(0) })).toThrow(
      /^clock must be/,
    )
  })
})

describe('a limiter that could not be made', () => {
  it('has changed nothing: neither the clock of the store nor who may use its name', async () => {
    const store = new MemoryStore()
    const first = new Limiter({ name: 'a', store, policy })
    const clock = new ManualClock(0)
    const other = fixedWindow({ limit: 3, window: '1s' })
    expect(() => new Limiter({ name: 'a', store, policy: other, clock })).toThrow(/^name is in use/)
    expect(() => new Limiter({ name: 'b', store, policy, clock })).toThrow(/^clock must be/)
    expect((await first.take('k')).decidedAtMs).toBeGreaterThan(0)
    expect((await new Limiter({ name: 'b', store, policy: other }).take('k')).limit).toBe(3)
  })
})

describe('receipts', () => {
  it('of a policy that only one call had are redeemed by it', async () => {
    const limiter = new Limiter({ policy })
    const plan = { policy: tokenBucket({ capacity: 5, refill: 0, per: '1s' }) }
    const { receipt = '' } = await limiter.reserve('k', { ...plan, cost: 3 })
    expect(await limiter.refund(receipt)).toBe(3)
    expect((await limiter.peek('k', plan)).remaining).toBe(5)
    await expect(new Limiter({ policy }).refund(receipt)).rejects.toMatchObject({
      code: 'ERR_HEADGATE_RECEIPT',
    })
  })

  it('are not spent by a refund of nothing, and are by a settlement that gives nothing back', async () => {
    const limiter = new Limiter({ policy })
    const { receipt = '' } = await limiter.reserve('k')
    expect(await limiter.refund(receipt, 0)).toBe(0)
    expect(await limiter.refund(receipt)).toBe(1)
    const reservation = await limiter.reserve('k')
    const told = reservation.receipt ?? ''
    await reservation.settle(1)
    expect(await limiter.refund(told)).toBe(0)
  })

  it('that were forged harm no state', async () => {
    const limiter = new Limiter({ policy: slidingLog({ limit: 3, window: '1s' }) })
    const { receipt = '' } = await limiter.reserve('k')
    const written = atob(receipt.slice(4).replaceAll('-', '+').replaceAll('_', '/'))
    for (const [what, with_] of [
      [',1],', ',-9007199254740991],'],
      ['sliding-log:1000000', 'sliding-log:Infinity'],
      ['sliding-log:1000000:0', 'sliding-log:1000000:NaN'],
      [',3,0,', ',null,0,'],
    ] as const) {
      expect(written).toContain(what)
      const forged = `hg1.${btoa(written.replace(what, with_)).replaceAll('=', '')}`
      await expect(limiter.refund(forged)).rejects.toMatchObject({ code: 'ERR_HEADGATE_RECEIPT' })
    }
    await expect(limiter.refund(`x${receipt}`)).rejects.toMatchObject({ code: 'ERR_HEADGATE_RECEIPT' })
    expect((await limiter.peek('k')).remaining).toBe(2)
  })
})

describe('names', () => {
  it('of two limiters on one store must not mean two things, unless on purpose', async () => {
    const store = new MemoryStore()
    const first = new Limiter({ name: 'api', store, policy })
    const other = { name: 'api', store, policy: fixedWindow({ limit: 3, window: '1s' }) } as const
    expect(() => new Limiter(other)).toThrow(
      expect.objectContaining({ code: 'ERR_HEADGATE_NAME', value: 'api' }),
    )
    const same = new Limiter({ name: 'api', store, policy })
    const shared = new Limiter({ ...other, shared: true })
    await first.take('a')
    expect((await same.peek('a')).remaining).toBe(1)
    expect((await shared.peek('a')).remaining).toBe(2)
  })

  it('mean what those who are left have made them mean', async () => {
    const store = new MemoryStore()
    const other = fixedWindow({ limit: 3, window: '1s' })
    const first = new Limiter({ name: 'api', store, policy })
    const second = new Limiter({ name: 'api', store, policy: other, shared: true })
    await Promise.all([first.close(), first.close()])
    expect(() => new Limiter({ name: 'api', store, policy })).toThrow(/^name is in use/)
    expect(new Limiter({ name: 'api', store, policy: other }).name).toBe(second.name)
  })

  it('are free again when those who have them are closed', async () => {
    const store = new MemoryStore()
    const first = new Limiter({ name: 'api', store, policy })
    await first.close()
    const next = new Limiter({ name: 'api', store, policy: fixedWindow({ limit: 3, window: '1s' }) })
    expect((await next.take('a')).limit).toBe(3)
  })
})

describe('close', () => {
  it('ends the limiter, and the store only if the limiter made it', async () => {
    const store = new MemoryStore()
    const onGiven = new Limiter({ name: 'api', store, policy })
    const onOwn = new Limiter({ policy })
    await Promise.all([onGiven.take('a'), onOwn.take('a')])
    await Promise.all([onGiven.close(), onOwn.close(), onOwn.close()])
    expect([store.size, onOwn.store.size]).toEqual([1, 0])
    const closed = expect.objectContaining({ code: 'ERR_HEADGATE_CLOSED' })
    await expect(onOwn.take('a')).rejects.toEqual(closed)
    await expect(onOwn.refund('hg1.')).rejects.toEqual(closed)
    expect(() => onOwn.takeSync('a')).toThrow(closed)
  })
})

describe('a store that fails', () => {
  it('is a StoreError with the cause, and never a decision', async () => {
    const store = new FaultyStore(new MemoryStore())
    const limiter = new Limiter({ name: 'api', store, policy })
    const { receipt = '' } = await limiter.reserve('a')
    const cause = new Error('connection refused')
    store.fail(cause)
    const failed = expect.objectContaining({ code: 'ERR_HEADGATE_STORE', cause })
    await expect(limiter.take('a')).rejects.toEqual(failed)
    await expect(limiter.peek('a')).rejects.toEqual(failed)
    await expect(limiter.wait('a')).rejects.toEqual(failed)
    await expect(limiter.charge('a', 1)).rejects.toEqual(failed)
    await expect(limiter.reserve('a')).rejects.toEqual(failed)
    await expect(limiter.refund(receipt)).rejects.toEqual(failed)
    await expect(limiter.reset('a')).rejects.toEqual(failed)
    store.fail(undefined)
    expect((await limiter.take('a')).remaining).toBe(0)
  })

  it('that hangs leaves the wait abortable', async () => {
    const store = new FaultyStore(new MemoryStore())
    const limiter = new Limiter({ name: 'api', store, policy })
    store.fail('hang')
    const controller = new AbortController()
    const waiting = limiter.wait('a', { signal: controller.signal })
    controller.abort('enough')
    await expect(waiting).rejects.toBe('enough')
  })
})
