import { createHash } from 'node:crypto'
import { type Events, fixedWindow, Limiter, MemoryStore, type Policy } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { ALGORITHMS, FIXED, FIXED_EPOCH, SLIDING, STRICT } from './algorithms.ts'
import { heapBytes } from './heap.ts'
import { run } from './programs/run.ts'
import { kind, memoryKind, rig, sizeOf } from './rig.ts'
import { follow, no, ok, STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

afterEach(() => {
  vi.unstubAllGlobals()
})

function memory(policy: Policy, maxKeys = 1_000_000) {
  const clock = new ManualClock(START)
  const store = new MemoryStore({ maxKeys, clock })
  return { clock, store, limiter: new Limiter({ name: 'api', store, policy, clock }) }
}

memoryKind('expiry-needs-a-timer', () => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a quota comes back on a host whose timers never fire`, async () => {
      vi.stubGlobal('setTimeout', () => 0)
      vi.stubGlobal('setInterval', () => 0)
      const { clock, limiter } = memory(policy(2, 5000))
      const lateMs = name === SLIDING.name || name === STRICT.name ? 10_009 : 7009
      const resetAfterMs = new Map([
        ['fixed window on the epoch', 2991],
        ['sliding window', 4991.001],
        ['strict sliding window', 9991],
        ['token bucket', 2500],
        ['gcra', 2500],
      ])
      await follow(
        limiter,
        clock,
        [
          ok(0, { times: 2, remaining: 0 }),
          no(2499, { remaining: 0 }),
          ok(lateMs, { remaining: 1, resetAfterMs: resetAfterMs.get(name) ?? 5000 }),
        ],
        START,
      )
    })
  }

  for (const { name, policy } of [FIXED, FIXED_EPOCH]) {
    it(`${name}: the time left is never negative on a host whose timers never fire`, async () => {
      vi.stubGlobal('setTimeout', () => 0)
      vi.stubGlobal('setInterval', () => 0)
      const { clock, limiter } = memory(policy(2, 5000))
      await follow(
        limiter,
        clock,
        [ok(0, { times: 2 }), no(4999, { retryAfterMs: 1 }), ok(5000, { remaining: 1 })],
        START,
      )
    })
  }
})

memoryKind('one-time-keys-never-leave', () => {
  /** Each call clears away at most this many expired states. */
  const SWEPT = 4

  for (const { name, policy } of ALGORITHMS) {
    const keys = name === FIXED.name ? 100_000 : 10_000
    it(`${name}: ${keys} keys that came once are gone after a bounded number of calls`, () => {
      const { clock, store, limiter } = memory(policy(2, 1000))
      for (let key = 0; key < keys; key++) limiter.takeSync(`key ${key}`)
      expect(store.size).toBe(keys)
      clock.advance(10_000)
      for (let call = 0; call <= keys / SWEPT; call++) limiter.takeSync('regular')
      expect(store.size).toBe(1)
    })
  }

  it('a flow of new keys holds no more states than are alive', () => {
    const { clock, store, limiter } = memory(fixedWindow({ limit: 1, window: 1000 }))
    let most = 0
    for (let key = 0; key < 10_000; key++) {
      limiter.takeSync(`key ${key}`)
      clock.advance(1)
      most = Math.max(most, store.size)
    }
    expect(most).toBeLessThanOrEqual(1001)
  })

  it('questions and denials hold nothing, and clear away as charges do', async () => {
    const { clock, store, limiter } = memory(fixedWindow({ limit: 1, window: 1000 }))
    for (let key = 0; key < 1000; key++) limiter.takeSync(`key ${key}`)
    for (let key = 0; key < 1000; key++) await limiter.peek(`unknown ${key}`)
    expect(store.size).toBe(1000)
    clock.advance(1000)
    for (let call = 0; call <= 1000 / SWEPT; call++) await limiter.peek('unknown')
    expect(store.size).toBe(0)
  })

  it('of keys with unlike windows the expired leave, wherever they stand', () => {
    const { clock, store, limiter } = memory(fixedWindow({ limit: 9, window: '1d' }))
    const short = fixedWindow({ limit: 9, window: 1000 })
    for (let key = 0; key < 500; key++) {
      limiter.takeSync(`key ${key}`)
      limiter.takeSync(`key ${key}`, { policy: short })
    }
    clock.advance(1000)
    for (let call = 0; call <= 500 / SWEPT; call++) limiter.takeSync('key 0')
    expect(store.size).toBe(500)
  })
})

memoryKind('flood-erases-the-flooder', () => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a flood of new keys does not free the one that is denied`, async () => {
      const { clock, store, limiter } = memory(policy(5, 60_000), 100)
      const told: Events['saturated'][] = []
      limiter.on('saturated', (detail) => told.push(detail))
      await limiter.take('flooder', { cost: 5 })
      const flood = await Promise.allSettled(
        Array.from({ length: 1000 }, (_, n) => limiter.take(`made up ${n}`)),
      )
      const turnedAway = flood.filter((result) => result.status === 'rejected')
      expect(turnedAway).toHaveLength(901)
      for (const { reason } of turnedAway)
        expect(reason).toMatchObject({ name: 'StoreError', code: 'ERR_HEADGATE_SATURATED' })
      expect(store.size).toBe(100)
      expect(told).toEqual([{ store: 'memory', maxKeys: 100 }])
      await follow(
        limiter,
        clock,
        [no(1, { key: 'flooder', remaining: 0 }), ok(1, { key: 'made up 0' })],
        START,
      )
    })

    it(`${name}: when the flood has expired there is room again`, async () => {
      const { clock, store, limiter } = memory(policy(5, 1000), 100)
      for (let key = 0; key < 100; key++) await limiter.take(`made up ${key}`)
      await expect(limiter.take('user')).rejects.toMatchObject({ code: 'ERR_HEADGATE_SATURATED' })
      await expect(limiter.charge('user', 1)).rejects.toMatchObject({ code: 'ERR_HEADGATE_SATURATED' })
      expect((await limiter.peek('user')).remaining).toBe(5)
      clock.advance(2000)
      for (let key = 0; key < 100; key++) expect((await limiter.take(`user ${key}`)).remaining).toBe(4)
      expect(store.size).toBe(100)
    })
  }

  it('a composed check that finds no room charges none of its policies', async () => {
    const clock = new ManualClock(START)
    const store = new MemoryStore({ maxKeys: 3, clock })
    const policies = { user: FIXED.policy(5, 1000), all: FIXED.policy(9, 1000) }
    const limiter = new Limiter({ name: 'api', store, policies, clock })
    await limiter.take({ user: 'ann', all: 'all' })
    await limiter.take({ user: 'bob', all: 'all' })
    await expect(limiter.take({ user: 'cyd', all: 'all' })).rejects.toMatchObject({
      code: 'ERR_HEADGATE_SATURATED',
    })
    expect((await limiter.peek({ user: undefined, all: 'all' })).remaining).toBe(7)
    expect(store.size).toBe(3)
  })
})

memoryKind('timer-keeps-process-alive', () => {
  it('a process that closes nothing ends by itself, and never had a timer', async () => {
    expect(await run('one-check.ts')).toEqual({
      shared: 0,
      afterAbort: 0,
      afterClose: 0,
      afterClosingTwice: 0,
    })
  })

  it('a limiter closes the store that it made, and no other', async () => {
    const clock = new ManualClock(START)
    const store = new MemoryStore({ clock })
    const first = new Limiter({ name: 'first', store, policy: FIXED.policy(2, 1000), clock })
    const second = new Limiter({ name: 'second', store, policy: FIXED.policy(2, 1000), clock })
    await second.take('user')
    await first.close()
    await expect(first.take('user')).rejects.toMatchObject({
      name: 'StoreError',
      code: 'ERR_HEADGATE_CLOSED',
    })
    expect((await second.take('user')).remaining).toBe(0)
    const own = new Limiter({ policy: FIXED.policy(2, 1000), clock })
    await own.take('user')
    await own.close()
    expect(own.store.size).toBe(0)
  })
})

kind('key-text-unbounded', (store) => {
  const MIB = 2 ** 20

  it('a key of a mebibyte counts like any other, and its last letter tells it apart', async () => {
    const { clock, limiter } = await rig(store, FIXED.policy(5, 1000), START)
    const long = 'a'.repeat(MIB)
    await follow(
      limiter,
      clock,
      [
        ok(0, { key: long, remaining: 4 }),
        ok(0, { key: long, remaining: 3 }),
        ok(0, { key: long, remaining: 2 }),
        ok(0, { key: `${long.slice(1)}b`, remaining: 4 }),
      ],
      START,
    )
  })

  it('a long key takes no more room than a short one', async () => {
    const { limiter, store: states } = await rig(store, FIXED.policy(5, 60_000), START)
    const before = heapBytes()
    for (let n = 0; n < 8; n++) await limiter.take(`${n}${'x'.repeat(MIB)}`)
    expect(sizeOf(states) ?? 8).toBe(8)
    expect(heapBytes() - before).toBeLessThan(2 * MIB)
  })

  it('keys about as long as is kept in full are all apart', async () => {
    const { limiter } = await rig(store, FIXED.policy(5, 1000), START)
    for (const length of [255, 256, 257, 258, 512, 513]) {
      for (const end of ['a', 'b', 'é', '😀']) {
        expect((await limiter.take('k'.repeat(length) + end)).remaining, `${length} and ${end}`).toBe(4)
      }
    }
  })

  it('a long key does not share with a short key that is its hash', async () => {
    const { limiter } = await rig(store, FIXED.policy(5, 1000), START)
    const long = 'k'.repeat(1000)
    await limiter.take(long)
    const bytes = [Buffer.from(long), Buffer.from(long, 'utf16le'), Buffer.from(long, 'utf16le').swap16()]
    const digests = bytes.map((text) => createHash('sha256').update(text).digest())
    const encodings = ['hex', 'base64', 'base64url', 'latin1'] as const
    for (const hash of digests.flatMap((digest) => encodings.map((encoding) => digest.toString(encoding)))) {
      for (const key of [hash, `sha256:${hash}`, `\0sha256:${hash}`, `#${hash}`]) {
        expect((await limiter.take(key)).remaining, key).toBe(4)
      }
    }
  })

  it('long keys that differ only in what UTF-8 can not say are apart', async () => {
    const { limiter } = await rig(store, FIXED.policy(5, 1000), START)
    for (const end of ['\ud800', '\ud801', '\udc00', '\ufffd']) {
      expect((await limiter.take('k'.repeat(300) + end)).remaining).toBe(4)
    }
  })
})

memoryKind('timer-at-module-load', () => {
  it('loading and making a limiter need no timer, no I/O, no randomness and no clock', async () => {
    expect(await run('edge-runtime.ts')).toEqual({ remaining: [0, 4, 1], states: [1, 2] })
  })
})
