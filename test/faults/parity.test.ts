import { type Decision, Limiter, MemoryStore, type Policy } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { expect, it } from 'vitest'
import { ALGORITHMS } from './algorithms.ts'
import { kind, rig, twinRig } from './rig.ts'
import { STARTS } from './timeline.ts'

const START = STARTS[1] ?? 0

interface Call {
  readonly at: number
  readonly key: string
  readonly cost: number
  readonly does: 'take' | 'peek' | 'charge' | 'reserve and refund' | 'reset'
}

/** Fifty calls with fixed times: bursts, gaps, fractions, debt, refunds, costs from 0 to above the limit. */
const SCRIPT: readonly Call[] = Array.from({ length: 50 }, (_, n) => ({
  at: n * 83.25 + (n % 7 === 0 ? 611.125 : 0) + (n > 40 ? 2500 : 0),
  key: n % 3 ? 'ann' : 'bob',
  cost: (n * 5) % 13,
  does: does(n),
})).sort((a, b) => a.at - b.at)

function does(n: number): Call['does'] {
  if (n % 17 === 16) return 'reset'
  if (n % 11 === 10) return 'charge'
  if (n % 5 === 4) return 'reserve and refund'
  return n % 6 === 5 ? 'peek' : 'take'
}

type Api = Pick<Limiter<Policy, MemoryStore>, 'take' | 'peek' | 'charge' | 'reserve' | 'reset'>

async function play(api: Api, clock: ManualClock): Promise<readonly unknown[]> {
  const told: unknown[] = []
  for (const call of SCRIPT) {
    clock.set(START + call.at)
    told.push(await one(api, call))
  }
  return told
}

async function one(api: Api, { key, cost, does }: Call): Promise<Decision | readonly unknown[]> {
  if (does === 'take') return api.take(key, { cost })
  if (does === 'peek') return api.peek(key, { cost })
  if (does === 'charge') return api.charge(key, cost)
  if (does === 'reset') return [await api.reset(key)]
  const reservation = await api.reserve(key, { cost })
  return [reservation.decision, await reservation.refund(Math.ceil(cost / 2))]
}

/** A limiter of its own, in memory: what every other way to the same decisions is held against. */
function own(policy: Policy) {
  const clock = new ManualClock(START)
  return { clock, limiter: new Limiter({ policy, clock }) }
}

kind('stores-decide-differently', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: the same calls at the same times get the same decisions on every store`, async () => {
      const here = await rig(store, policy(10, 1000), START)
      const there = own(policy(10, 1000))
      const expected = await play(there.limiter, there.clock)
      expect(
        expected.filter((told) => JSON.stringify(told).includes('"allowed":false')).length,
      ).toBeGreaterThan(5)
      expect(await play(here.limiter, here.clock)).toEqual(expected)
    })

    it(`${name}: two limiters under one name share one budget, as one limiter does`, async () => {
      const { clock, left, right } = await twinRig(store, policy(10, 1000), START)
      let turn = 0
      const next = () => (turn++ % 2 ? right : left)
      const alternating: Api = {
        take: (key, options) => next().take(key, options),
        peek: (key, options) => next().peek(key, options),
        charge: (key, units) => next().charge(key, units),
        reserve: (key, options) => next().reserve(key, options),
        reset: (key) => next().reset(key),
      }
      const there = own(policy(10, 1000))
      expect(await play(alternating, clock)).toEqual(await play(there.limiter, there.clock))
    })

    it(`${name}: two routes share a budget by one key, and split it by two`, async () => {
      const { limiter } = await rig(store, policy(10, 1000), START)
      await limiter.take('user')
      expect((await limiter.take('user')).remaining).toBe(8)
      await limiter.take('/a user')
      expect((await limiter.take('/b user')).remaining).toBe(9)
    })

    it(`${name}: with a promise and without one the decisions are the same`, async () => {
      const clock = new ManualClock(START)
      const limiter = new Limiter({
        name: 'api',
        store: new MemoryStore({ clock }),
        policy: policy(10, 1000),
        clock,
      })
      const there = own(policy(10, 1000))
      for (const { at, key, cost } of SCRIPT) {
        for (const side of [clock, there.clock]) side.set(START + at)
        expect(limiter.takeSync(key, { cost })).toEqual(await there.limiter.take(key, { cost }))
      }
    })
  }
})
