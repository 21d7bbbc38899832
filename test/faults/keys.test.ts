import { fixedWindow, Limiter, MemoryStore, type Policies, type Store } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { expect, it } from 'vitest'
import { ALGORITHMS, FIXED, LOG } from './algorithms.ts'
import { composedRig, kind, memoryKind, rig, sizeOf } from './rig.ts'
import { follow, no, ok, STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

/** Texts that name builders trip over: separators, braces, nothing printable, inherited properties. */
const AWKWARD = [
  ':',
  '::',
  'a:b',
  'a:',
  ':a',
  '|',
  '/',
  ' ',
  '  ',
  '"',
  "'",
  ',',
  '[',
  ']',
  '{',
  '}',
  '{}',
  '{a}',
  'a}b',
  'x{y}z',
  '*',
  '?',
  'app[1]*',
  '\0',
  '\n',
  'é',
  'e\u0301',
  'É',
  '😀',
  '\ud800',
  '0',
  '00',
  'true',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'default',
  'api',
]

kind('equal-limits-share-a-counter', (store) => {
  const keys = { minute: 'ann', day: 'ann' }
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: two limits on one key each count for themselves`, async () => {
      const { limiter } = await composedRig(
        store,
        { minute: policy(3, 60_000), day: policy(30, 86_400_000) },
        START,
      )
      const first = await limiter.take(keys)
      expect([first.each.minute?.remaining, first.each.day?.remaining]).toEqual([2, 29])
      await limiter.take(keys)
      await limiter.take(keys)
      const denied = await limiter.take(keys)
      expect([denied.allowed, denied.policy, denied.each.day?.remaining]).toEqual([false, 'minute', 27])
    })

    it(`${name}: two limits of equal numbers each count for themselves`, async () => {
      const { limiter } = await composedRig(
        store,
        { read: policy(3, 60_000), write: policy(3, 60_000) },
        START,
      )
      await limiter.take({ read: 'ann', write: undefined }, { cost: 3 })
      expect((await limiter.take({ read: undefined, write: 'ann' })).remaining).toBe(2)
      expect((await limiter.take({ read: 'ann', write: undefined })).allowed).toBe(false)
    })

    it(`${name}: two limiters of equal numbers on one store each count for themselves`, async () => {
      const { clock, limiter, store: states } = await rig(store, policy(3, 60_000), START)
      const other = new Limiter({ name: 'other', store: states, policy: policy(3, 60_000), clock })
      await limiter.take('ann', { cost: 3 })
      expect((await other.take('ann')).remaining).toBe(2)
      expect((await limiter.take('ann')).allowed).toBe(false)
    })
  }

  it('one name for unlike limits on one store is an error, unless it is meant', async () => {
    const { clock, limiter, store: states } = await rig(store, FIXED.policy(3, 60_000), START)
    const unlike = [FIXED.policy(30, 60_000), FIXED.policy(3, 86_400_000), LOG.policy(3, 60_000)]
    for (const policy of unlike) {
      expect(() => new Limiter({ name: 'api', store: states, policy, clock })).toThrow(
        expect.objectContaining({
          name: 'PolicyError',
          code: 'ERR_HEADGATE_NAME',
          field: 'name',
          value: 'api',
        }),
      )
    }
    const meant = new Limiter({
      name: 'api',
      store: states,
      policy: FIXED.policy(30, 60_000),
      clock,
      shared: true,
    })
    await limiter.take('ann')
    expect((await meant.take('ann')).remaining).toBe(28)
  })

  it('a limiter on a store that it did not make must be named', async () => {
    const { clock, store: states } = await rig(store, FIXED.policy(3, 60_000))
    const nameless = { store: states, policy: FIXED.policy(3, 60_000), clock } as unknown as {
      name: string
      policy: never
    }
    expect(() => new Limiter(nameless)).toThrow(expect.objectContaining({ code: 'ERR_HEADGATE_NAME' }))
  })

  it('no limiter, policy and key run together into the name of another', async () => {
    const clock = new ManualClock(START)
    const states = (await store.make(clock)) ?? new MemoryStore({ clock })
    // 'a' and 'b:a' must not be 'a:b' and 'a'.
    const parts = [
      'a',
      'b',
      'ab',
      'ba',
      '["a","b"]',
      ...[':', '|', '/', ',', '"', '\0'].flatMap((by) => [`a${by}b`, `b${by}a`]),
    ]
    let left = 0
    for (const name of parts) {
      for (const policyName of parts) {
        const limiter = new Limiter<Policies, Store>({
          name,
          store: states,
          policies: { [policyName]: FIXED.policy(9, 60_000) },
          clock,
          shared: true,
        })
        for (const key of parts) {
          const { remaining } = await limiter.take({ [policyName]: key })
          if (remaining !== 8) left++
        }
      }
    }
    expect(left).toBe(0)
    expect(sizeOf(states) ?? parts.length ** 3).toBe(parts.length ** 3)
  })

  it('keys that look alike are not alike', async () => {
    const { clock, limiter } = await rig(store, FIXED.policy(3, 60_000), START)
    for (let round = 2; round >= 0; round--) {
      await follow(
        limiter,
        clock,
        AWKWARD.map((key) => ok(0, { key, remaining: round })),
        START,
      )
    }
    await follow(
      limiter,
      clock,
      AWKWARD.map((key) => no(0, { key })),
      START,
    )
  })
})

kind('missing-key-becomes-a-bucket', (store) => {
  for (const missing of [
    undefined,
    null,
    '',
    0,
    42,
    Number.NaN,
    false,
    {},
    ['user'],
    Symbol('user'),
    () => 'user',
  ]) {
    it(`a key that is ${missing === '' ? 'empty' : String(missing)} is an error, and nobody's quota`, async () => {
      const { limiter, store: states } = await rig(store, FIXED.policy(1, 60_000), START)
      const key = missing as string
      const calls = [
        () => limiter.take(key),
        () => limiter.peek(key),
        () => limiter.reserve(key),
        () => limiter.wait(key),
        () => limiter.charge(key, 1),
        () => limiter.reset(key),
      ]
      for (const call of calls) {
        await expect(call()).rejects.toMatchObject({
          name: 'PolicyError',
          code: 'ERR_HEADGATE_KEY',
          field: 'key',
        })
      }
      expect(sizeOf(states) ?? 0).toBe(0)
      for (const text of ['undefined', 'null', 'NaN', '0', '42', 'false', '[object Object]', 'user', ' ']) {
        expect((await limiter.take(text)).allowed, text).toBe(true)
      }
    })
  }

  it('a composed check without a key that applies is an error, and one of a name that is not known', async () => {
    const { limiter, store: states } = await composedRig(
      store,
      { user: FIXED.policy(1, 1000), all: FIXED.policy(9, 1000) },
      START,
    )
    const wrong = [
      { user: undefined, all: undefined },
      {},
      { user: 'ann', all: '' },
      { user: null, all: 'all' },
      { usr: 'ann', all: 'all' },
      'ann',
      undefined,
    ]
    for (const keys of wrong) {
      const call = limiter.take(keys as unknown as { user: string; all: string })
      await expect(call, JSON.stringify(keys)).rejects.toMatchObject({
        name: 'PolicyError',
        code: 'ERR_HEADGATE_KEY',
      })
    }
    expect(sizeOf(states) ?? 0).toBe(0)
  })
})

memoryKind('missing-key-becomes-a-bucket', () => {
  it('without a promise the error is thrown, and nothing is charged either', () => {
    const limiter = new Limiter({ policy: FIXED.policy(1, 60_000) })
    const key = undefined as unknown as string
    expect(() => limiter.takeSync(key)).toThrow(expect.objectContaining({ code: 'ERR_HEADGATE_KEY' }))
    expect(limiter.store.size).toBe(0)
  })
})

kind('reset-misses-its-key', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a reset gives its key the whole quota, and no other`, async () => {
      const { clock, limiter } = await rig(store, policy(3, 60_000), START)
      for (const key of AWKWARD) await limiter.take(key, { cost: 3 })
      for (const [n, key] of AWKWARD.entries()) {
        await limiter.reset(key)
        const rest = AWKWARD.slice(n + 1).map((other) => no(n, { key: other, remaining: 0 }))
        await follow(
          limiter,
          clock,
          [ok(n, { key, peek: true, remaining: 3, resetAfterMs: 0 }), ...rest.slice(0, 3)],
          START,
        )
      }
    })
  }

  it('a reset forgives debt, and reaches long keys', async () => {
    const { limiter } = await rig(store, FIXED.policy(3, 60_000), START)
    const long = 'k'.repeat(5000)
    await limiter.charge(long, 1000)
    await limiter.reset(long)
    expect((await limiter.take(long)).remaining).toBe(2)
  })

  it('a reset of a composed key forgets it under each policy that it names', async () => {
    const { limiter } = await composedRig(
      store,
      { user: FIXED.policy(3, 1000), all: FIXED.policy(9, 1000) },
      START,
    )
    const keys = { user: 'ann', all: 'all' }
    await limiter.take(keys, { cost: 3 })
    await limiter.reset({ user: 'ann', all: undefined })
    const after = await limiter.peek(keys)
    expect([after.each.user?.remaining, after.each.all?.remaining]).toEqual([3, 6])
  })

  it('a reset leaves other limiters on the store alone', async () => {
    const { clock, limiter, store: states } = await rig(store, FIXED.policy(3, 60_000), START)
    const other = new Limiter({
      name: 'api2',
      store: states,
      policy: fixedWindow({ limit: 3, window: 60_000 }),
      clock,
    })
    await limiter.take('ann')
    await other.take('ann')
    await limiter.reset('ann')
    expect([(await limiter.peek('ann')).remaining, (await other.peek('ann')).remaining]).toEqual([3, 2])
  })
})
