import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Policed } from './oracle/cell.ts'
import { charge, EMPTY_WORLD, type PolicySpec, peek, take, type World } from './oracle/index.ts'
import { ceilDiv, firstInstant, floorDiv, HORIZON_MICROS, most } from './oracle/instant.ts'
import { anyPolicy } from './support/random-policies.ts'
import { holds } from './support/runs.ts'

const asked = (spec: PolicySpec, nowMicros: bigint) => ({
  keys: { p: 'k' },
  policies: { p: spec },
  nowMicros,
})

interface Story {
  readonly spec: PolicySpec
  readonly calls: readonly { readonly stepMicros: bigint; readonly cost: bigint; readonly debt: boolean }[]
}

/** Windows of a few milliseconds, so that every microsecond of a wait can be looked at. */
const stories: fc.Arbitrary<Story> = fc.record({
  spec: anyPolicy.map((spec): PolicySpec => {
    if (spec.algorithm === 'leaky-bucket') return { ...spec, rate: 1, perMs: 1 }
    if (spec.algorithm === 'token-bucket') return { ...spec, capacity: 3, refill: 3, perMs: 1 }
    if (spec.algorithm === 'gcra') return { ...spec, burst: 2, rate: 7, perMs: 2 }
    return { ...spec, limit: 1 + (spec.limit % 5), windowMs: 1 }
  }),
  calls: fc.array(
    fc.record({
      stepMicros: fc.bigInt({ min: 0n, max: 700n }),
      cost: fc.bigInt({ min: 1n, max: 3n }),
      debt: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
})

function told({ spec, calls }: Story): { world: World; now: bigint } {
  let world = EMPTY_WORLD
  let now = 1_000_000n
  for (const { stepMicros, cost, debt } of calls) {
    now += stepMicros
    world = (debt ? charge(world, asked(spec, now), cost) : take(world, asked(spec, now), cost)).world
  }
  return { world, now }
}

/** The judge is judged: by looking at every microsecond, and by the closed forms that the rules give. */
describe('the oracle', () => {
  it('waits and resets are the first microseconds at which its own answer changes, of all of them', () =>
    holds(stories, async (story) => {
      const { world, now } = told(story)
      const limit = 'limit' in story.spec ? BigInt(story.spec.limit) : 1n
      const first = peek(world, asked(story.spec, now), limit).answer
      const [cell] = world.cells.values()
      const horizon = now + 30_000n
      const changes = (until: (policed: Policed) => boolean): number => {
        let at = now
        while (at < horizon && !until(new Policed(story.spec, cell, at))) at += 1n
        return Number(at)
      }
      if (!first.allowed) {
        expect(Math.round((first.retryAtMs ?? 0) * 1000)).toBe(changes((policed) => policed.admits(limit)))
      }
      expect(Math.round(first.resetAtMs * 1000)).toBe(changes((policed) => policed.cell === undefined))
    }))

  it('the counter gives the waits of the closed form', () => {
    const numbers = fc.record({
      window: fc.integer({ min: 1, max: 366 * 86_400_000 }),
      limit: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
      previous: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
      current: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
      cost: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
      share: fc.bigInt({ min: 0n, max: 999_999n }),
      strict: fc.boolean(),
    })
    return holds(numbers, async ({ window, limit, previous, current, cost, share, strict }) => {
      const spec: PolicySpec = { algorithm: 'sliding-window', limit: Number(limit), windowMs: window, strict }
      const W = BigInt(window) * 1000n
      const start = W * 3n
      const now = start + (W * share) / 1_000_000n
      const policed = new Policed(spec, { generation: 0, state: { start, current, previous } }, now)
      const verdict = policed.decide(cost)
      if (verdict.admitted || verdict.never) return
      const when = (n: bigint, end: bigint, A: bigint): bigint => {
        if (n <= A) return end - W
        return strict ? end - floorDiv(A * W, n) : end - floorDiv((A + 1n) * W - 1n, n)
      }
      const A = limit - cost - current
      expect(verdict.retry).toBe(
        A >= 0n ? when(previous, start + W, A) : when(current, start + 2n * W, limit - cost),
      )
      expect(verdict.reset).toBe(when(current, start + 2n * W, 0n))
    })
  })

  it('the bucket gives the waits of the closed form', () => {
    const numbers = fc.record({
      perMs: fc.integer({ min: 1, max: 86_400_000 }),
      refill: fc.bigInt({ min: 1n, max: 1_000_000n }),
      capacity: fc.bigInt({ min: 1n, max: 1_000_000n }),
      inUse: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      cost: fc.bigInt({ min: 1n, max: 1_000_000n }),
      later: fc.bigInt({ min: 0n, max: 1_000_000n }),
    })
    return holds(numbers, async ({ perMs, refill, capacity, inUse, cost, later }) => {
      const spec: PolicySpec = {
        algorithm: 'token-bucket',
        capacity: Number(capacity),
        refill: Number(refill),
        perMs,
      }
      const P = BigInt(perMs) * 1000n
      const at = 1_000_000n
      const verdict = new Policed(spec, { generation: 0, state: { at, inUse } }, at + later).decide(cost)
      const byHand = (room: bigint): bigint | undefined => {
        const instant = at + ceilDiv(inUse - room * P, refill)
        return instant < HORIZON_MICROS ? instant : undefined
      }
      if (verdict.held) expect(verdict.reset).toBe(byHand(0n))
      if (!verdict.admitted && !verdict.never) expect(verdict.retry).toBe(byHand(capacity - cost))
    })
  })

  it('finds the first instant of any condition that stays true', () =>
    holds(
      fc.record({
        from: fc.bigInt({ min: 0n, max: HORIZON_MICROS - 1n }),
        after: fc.bigInt({ min: -5n, max: HORIZON_MICROS }),
      }),
      async ({ from, after }) => {
        const edge = from + after
        const found = firstInstant(from, (at) => at >= edge)
        const expected = most(edge, from)
        expect(found).toBe(expected < HORIZON_MICROS ? expected : undefined)
      },
    ))
})
