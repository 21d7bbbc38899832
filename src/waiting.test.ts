import { describe, expect, it } from 'vitest'
import { fixedWindow, Limiter, leakyBucket, MemoryStore } from './index.ts'
import { FaultyStore, ManualClock } from './testing/index.ts'

const policy = fixedWindow({ limit: 1, window: '1s' })

/** Lets promises go on by so many steps. */
async function steps(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await null
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('an abort', () => {
  // Whatever stands before it, and wherever it has got to: a rejection that nobody handles would end the process, and fail this file.
  for (const ahead of [0, 1, 2]) {
    it(`ends a bounded wait behind ${ahead} others at any moment, and only that one`, async () => {
      for (let moment = 0; moment < 24; moment++) {
        const clock = new ManualClock(0)
        const limiter = new Limiter({ policy, clock })
        await limiter.take('k')
        const others = Array.from({ length: ahead }, () =>
          limiter.wait('k').then((decision) => decision.allowed),
        )
        const controller = new AbortController()
        const waiting = limiter.wait('k', { maxWaitMs: 60_000, signal: controller.signal })
        const ended = waiting.catch((reason: unknown) => reason)
        await steps(moment)
        controller.abort('enough')
        expect(await ended).toBe('enough')
        for (let second = 1; second <= ahead; second++) {
          clock.set(second * 1000)
          await settled()
        }
        expect(await Promise.all(others)).toEqual(others.map(() => true))
        expect(clock.sleepers).toBe(0)
      }
    })

    it(`by close() ends all, behind ${ahead} others, at any moment`, async () => {
      for (let moment = 0; moment < 24; moment++) {
        const clock = new ManualClock(0)
        const limiter = new Limiter({ policy, clock })
        await limiter.take('k')
        const codes = Array.from({ length: ahead + 1 }, () =>
          limiter.wait('k', { maxWaitMs: 60_000 }).catch((error: { code: string }) => error.code),
        )
        await steps(moment)
        await limiter.close()
        expect(await Promise.all(codes)).toEqual(codes.map(() => 'ERR_HEADGATE_CLOSED'))
        expect(clock.sleepers).toBe(0)
      }
    })
  }

  it('gives back what the store admits after it', async () => {
    const clock = new ManualClock(0)
    const limiter = new Limiter({ policy, clock })
    const controller = new AbortController()
    const ended = limiter.wait('k', { signal: controller.signal }).catch((reason: unknown) => reason)
    controller.abort('enough')
    expect(await ended).toBe('enough')
    await settled()
    expect((await limiter.peek('k')).remaining).toBe(1)
  })

  it('reaches who stands in line at a store that hangs', async () => {
    const store = new FaultyStore(new MemoryStore())
    const limiter = new Limiter({ name: 'api', store, policy })
    store.fail('hang')
    const first = limiter.wait('k').catch((error: { code: string }) => error.code)
    const controller = new AbortController()
    const second = limiter
      .wait('k', { cost: 9, signal: controller.signal })
      .catch((reason: unknown) => reason)
    controller.abort('enough')
    expect(await second).toBe('enough')
    await limiter.close()
    expect(await first).toBe('ERR_HEADGATE_CLOSED')
  })
})

describe('lines', () => {
  it('hold who waits for two states behind all who wait for either, and the forecast counts them', async () => {
    const clock = new ManualClock(0)
    const limiter = new Limiter({ policies: { a: policy, b: policy }, clock })
    await limiter.take({ a: 'k', b: 'k' })
    const granted: string[] = []
    const wait = (name: string, a: string | undefined, b: string | undefined) =>
      limiter.wait({ a, b }).then(() => granted.push(name))
    const all = [wait('first', 'k', undefined), wait('both', 'k', 'k'), wait('last', undefined, 'k')]
    // Behind 'last' at 3,000, so the turn comes at 4,000.
    const code = await limiter
      .wait({ a: undefined, b: 'k' }, { maxWaitMs: 3999 })
      .catch((error) => error.code)
    expect(code).toBe('ERR_HEADGATE_WAIT_TOO_LONG')
    for (const ms of [1000, 2000, 3000]) {
      clock.set(ms)
      await settled()
    }
    await Promise.all(all)
    expect(granted).toEqual(['first', 'both', 'last'])
  })

  it('go on in order however many leave from their middle', async () => {
    const clock = new ManualClock(0)
    const limiter = new Limiter({ policy: leakyBucket({ rate: 1, per: '1s' }), clock })
    await limiter.take('k')
    const granted: number[] = []
    const controllers = Array.from({ length: 200 }, () => new AbortController())
    for (const [i, { signal }] of controllers.entries()) {
      limiter.wait('k', { signal }).then(
        () => granted.push(i),
        () => {},
      )
    }
    for (const [i, controller] of controllers.entries()) if (i % 10 !== 3) controller.abort()
    for (let second = 1; second <= 20; second++) {
      clock.set(second * 1000)
      await settled()
    }
    expect(granted).toEqual(Array.from({ length: 20 }, (_, i) => 10 * i + 3))
  })
})

it.each([{}, 'x', null, new AbortController()])('a signal that is none is refused: %s', async (signal) => {
  const limiter = new Limiter({ policy })
  const refused = limiter.wait('k', { signal: signal as AbortSignal })
  await expect(refused).rejects.toMatchObject({ code: 'ERR_HEADGATE_OPTION', field: 'signal' })
})
