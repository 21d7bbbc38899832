import { fixedWindow, type Policy } from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKET, FIXED, LOG } from './algorithms.ts'
import { composedRig, kind } from './rig.ts'
import { expectDecision, justBefore, STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

/** Every algorithm on the inside of every other. */
const PAIRS = ALGORITHMS.flatMap((inner, i) => [
  { inner, outer: inner },
  { inner, outer: ALGORITHMS[(i + 1) % ALGORITHMS.length] ?? inner },
])

kind('refused-call-drains-other-limits', (store) => {
  for (const { inner, outer } of PAIRS) {
    it(`${inner.name} in ${outer.name}: a call that one limit refuses costs the others nothing`, async () => {
      const { limiter } = await composedRig(
        store,
        { user: inner.policy(1, 60_000), all: outer.policy(10, 60_000) },
        START,
      )
      const noisy = { user: 'noisy', all: 'all' }
      const answers = []
      for (let call = 0; call < 20; call++) answers.push(await limiter.take(noisy))
      expect(answers.filter((decision) => decision.allowed)).toHaveLength(1)
      expect(answers.at(-1)).toMatchObject({ policy: 'user', each: { all: { remaining: 9 } } })
      const quiet = await limiter.take({ user: 'quiet', all: 'all' })
      expect([quiet.allowed, quiet.each.all?.remaining]).toEqual([true, 8])
    })

    it(`${inner.name} in ${outer.name}: a call that the outer limit refuses costs the inner nothing`, async () => {
      const { limiter } = await composedRig(
        store,
        { user: inner.policy(5, 60_000), all: outer.policy(3, 60_000) },
        START,
      )
      await limiter.take({ user: 'noisy', all: 'all' }, { cost: 3 })
      for (let call = 0; call < 5; call++) {
        const denied = await limiter.take({ user: 'quiet', all: 'all' })
        expect([denied.allowed, denied.policy, denied.each.user?.remaining]).toEqual([false, 'all', 5])
      }
    })

    it(`${inner.name} in ${outer.name}: a cost that no wait makes fit charges neither`, async () => {
      const { limiter } = await composedRig(
        store,
        { user: inner.policy(5, 60_000), all: outer.policy(50, 60_000) },
        START,
      )
      const denied = await limiter.take({ user: 'ann', all: 'all' }, { cost: 6 })
      expect(denied).toMatchObject({
        allowed: false,
        reason: 'never',
        policy: 'user',
        retryAfterMs: Number.POSITIVE_INFINITY,
      })
      expect(denied).toMatchObject({ each: { user: { remaining: 5 }, all: { remaining: 50 } } })
    })
  }

  it('three deep, the last one refusing, with unlike costs', async () => {
    const policies = {
      ip: FIXED.policy(100, 1000),
      user: BUCKET.policy(50, 1000),
      route: LOG.policy(7, 1000),
    }
    const { limiter } = await composedRig(store, policies, START)
    const keys = { ip: '192.0.2.1', user: 'ann', route: '/' }
    const admitted = []
    for (const cost of [3, 5, 4, 1, 2]) if ((await limiter.take(keys, { cost })).allowed) admitted.push(cost)
    expect(admitted).toEqual([3, 4])
    expect((await limiter.peek(keys)).each).toMatchObject({
      ip: { remaining: 93 },
      user: { remaining: 43 },
      route: { remaining: 0 },
    })
  })

  it('a reservation that is denied holds nothing anywhere', async () => {
    const { limiter } = await composedRig(
      store,
      { user: FIXED.policy(1, 60_000), all: FIXED.policy(10, 60_000) },
      START,
    )
    const keys = { user: 'ann', all: 'all' }
    await limiter.reserve(keys)
    const denied = await limiter.reserve(keys)
    expect([denied.receipt, await denied.refund()]).toEqual([undefined, 0])
    expect((await limiter.peek(keys)).each.all?.remaining).toBe(9)
  })
})

kind('wrong-limit-reported', (store) => {
  it('the decision shows the limit that has least left, and on a denial the one that waits longest', async () => {
    const { clock, limiter } = await composedRig(
      store,
      { a: FIXED.policy(1, 10_000), b: FIXED.policy(2, 60_000) },
      START,
    )
    const keys = { a: 'ann', b: 'ann' }
    const first = await limiter.take(keys)
    expectDecision(first, { allowed: true, remaining: 0, limit: 1, resetAfterMs: 10_000 })
    expect(first.policy).toBe('a')

    clock.set(START + 1)
    const byOne = await limiter.take(keys)
    expectDecision(byOne, { allowed: false, remaining: 0, limit: 1, retryAfterMs: 9999 })
    expect(byOne.policy).toBe('a')

    clock.set(START + 10_000)
    const second = await limiter.take(keys)
    expectDecision(second, { allowed: true, remaining: 0 })
    expect(second.policy, 'of equals the one that resets later').toBe('b')

    clock.set(START + 10_001)
    const byBoth = await limiter.take(keys)
    expectDecision(byBoth, { allowed: false, limit: 2, remaining: 0, retryAfterMs: 49_999 })
    expect(byBoth.policy).toBe('b')
    clock.set(START + 60_000)
    expect((await limiter.take(keys)).allowed).toBe(true)
  })

  it('a limit that admits is not shown on a denial, however little it has left', async () => {
    const { limiter } = await composedRig(
      store,
      { small: FIXED.policy(2, 1000), large: FIXED.policy(9, 60_000) },
      START,
    )
    await limiter.take({ small: undefined, large: 'ann' }, { cost: 8 })
    const denied = await limiter.take({ small: 'ann', large: 'ann' }, { cost: 2 })
    expect([denied.allowed, denied.policy, denied.limit, denied.remaining]).toEqual([false, 'large', 9, 1])
    expect(denied.each.small?.remaining).toBe(2)
  })

  it('of limits that are alike in all, the first that was declared is shown', async () => {
    const { limiter } = await composedRig(
      store,
      { z: FIXED.policy(2, 1000), a: FIXED.policy(2, 1000) },
      START,
    )
    const names = []
    for (let call = 0; call < 3; call++) names.push((await limiter.take({ a: 'ann', z: 'ann' })).policy)
    expect(names).toEqual(['z', 'z', 'z'])
  })

  it('a policy that does not apply is not in the decision', async () => {
    const { limiter } = await composedRig(
      store,
      { user: FIXED.policy(2, 1000), all: FIXED.policy(9, 1000) },
      START,
    )
    const decision = await limiter.take({ user: undefined, all: 'all' })
    expect([decision.policy, Object.keys(decision.each)]).toEqual(['all', ['all']])
  })

  it('who waits for the longest of several waits is admitted, and not a microsecond before', async () => {
    for (const { inner, outer } of PAIRS) {
      const { clock, limiter } = await composedRig(
        store,
        { a: inner.policy(3, 7000), b: outer.policy(5, 11_000) },
        START,
      )
      const keys = { a: 'ann', b: 'ann' }
      for (let round = 0; round < 20; round++) {
        const denied = await limiter.take(keys, { cost: 1 + (round % 3) })
        if (denied.allowed) continue
        clock.set(justBefore(denied.retryAtMs))
        expect((await limiter.peek(keys, { cost: 1 + (round % 3) })).allowed).toBe(false)
        clock.set(denied.retryAtMs)
        expect((await limiter.take(keys, { cost: 1 + (round % 3) })).allowed).toBe(true)
      }
    }
  })
})

/** A limit for the whole app, and one for each of two routes. */
const routes = (app: Policy, route: Policy) => ({ app, a: route, b: route })

kind('outer-limit-applied-twice', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: one request counts once in the outer limit, whatever else applies`, async () => {
      const { limiter } = await composedRig(store, routes(policy(600, 60_000), policy(300, 60_000)), START)
      const toA = await limiter.take({ app: 'all', a: 'all', b: undefined })
      expect([toA.each.app?.remaining, toA.each.a?.remaining]).toEqual([599, 299])
      const toB = await limiter.take({ app: 'all', a: undefined, b: 'all' })
      expect([toB.each.app?.remaining, toB.each.b?.remaining]).toEqual([598, 299])
      const toNeither = await limiter.take({ app: 'all', a: undefined, b: undefined })
      expect(toNeither.each.app?.remaining).toBe(597)
    })
  }

  it('a refund gives back once in the outer limit too', async () => {
    const { limiter } = await composedRig(
      store,
      routes(FIXED.policy(600, 60_000), FIXED.policy(300, 60_000)),
      START,
    )
    const reservation = await limiter.reserve({ app: 'all', a: 'all', b: undefined }, { cost: 2 })
    await limiter.take({ app: 'all', a: undefined, b: 'all' })
    await reservation.refund()
    const { each } = await limiter.peek({ app: 'all', a: 'all', b: 'all' })
    expect([each.app?.remaining, each.a?.remaining, each.b?.remaining]).toEqual([599, 300, 299])
  })
})

kind('inner-limit-replaces-outer', (store) => {
  const policies = {
    global: fixedWindow({ limit: 5, window: '15m' }),
    ws: fixedWindow({ limit: 120, window: '1m' }),
  }
  const admittedOf = async (global: string | undefined): Promise<number> => {
    const { limiter } = await composedRig(store, policies, START)
    let admitted = 0
    for (let call = 0; call < 10; call++) if ((await limiter.take({ global, ws: '/ws' })).allowed) admitted++
    return admitted
  }

  it('a larger limit for a route does not lift the limit for all', async () => {
    expect(await admittedOf('all')).toBe(5)
  })

  it('a limit steps aside only where the call says so, by undefined in its place', async () => {
    expect(await admittedOf(undefined)).toBe(10)
  })
})
