import {
  type Denied,
  type Duration,
  fixedWindow,
  gcra,
  Limiter,
  type Policy,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from 'headgate'
import { ManualClock } from 'headgate/testing'
import { describe, expect, it } from 'vitest'

function at(startMs: number, policy: Policy) {
  const clock = new ManualClock(startMs)
  return { clock, limiter: new Limiter({ policy, clock }) }
}

const SECOND: Duration = '1s'
const tenASecond = tokenBucket({ capacity: 10, refill: 1, per: SECOND })

/** Traces that broke an earlier draft of the rules, each the reason for one of them. */
describe('counterexamples that shaped the rules', () => {
  it('a bucket gives back no units that have refilled since', async () => {
    const { clock, limiter } = at(0, tenASecond)
    const first = await limiter.reserve('k', { cost: 10 })
    clock.set(9_900)
    expect((await limiter.take('k', { cost: 9 })).allowed).toBe(true)
    expect(await first.refund()).toBe(0)
    expect((await limiter.take('k', { cost: 10 })).allowed).toBe(false)
  })

  it('several overlapping receipts of one bucket do bring back units that had refilled: known, and no more than this', async () => {
    const { clock, limiter } = at(0, tokenBucket({ capacity: 1_000, refill: 1, per: SECOND }))
    const one = await limiter.reserve('k', { cost: 500 })
    const two = await limiter.reserve('k', { cost: 500 })
    expect(await one.refund()).toBe(500)
    clock.set(499_000)
    expect((await limiter.take('k', { cost: 999 })).remaining).toBe(0)
    expect(await two.refund()).toBe(500)
    expect((await limiter.take('k', { cost: 500 })).allowed).toBe(true)
    // 1,499 kept units at one instant, 499 over; by the net count of law 1 it is 999.
    expect((await limiter.take('k')).allowed).toBe(false)
  })

  it('a strict counter rounds what remains as it rounds what it admits', async () => {
    const { clock, limiter } = at(0, slidingWindow({ limit: 5, window: SECOND, strict: true }))
    await limiter.take('k', { cost: 5 })
    clock.set(1_100)
    const strict = (await limiter.take('k')) as Denied
    expect(strict).toMatchObject({ allowed: false, remaining: 0, retryAtMs: 1_200, resetAtMs: 2_000 })
  })

  it('the repair of a wrong clock is written, by a peek too, so that a wait stays what it was', async () => {
    const { clock, limiter } = at(10_000, fixedWindow({ limit: 1, window: SECOND }))
    await limiter.take('k')
    for (const nowMs of [5_000, 5_001, 5_999.999]) {
      clock.set(nowMs)
      expect(await limiter.peek('k')).toMatchObject({ allowed: false, retryAtMs: 6_000, resetAtMs: 6_000 })
    }
    clock.set(6_000)
    expect((await limiter.take('k')).allowed).toBe(true)
  })

  it('a spent receipt stays spent when the clock has been past its end and went back', async () => {
    const { clock, limiter } = at(0, slidingLog({ limit: 4, window: 7 }))
    const one = await limiter.reserve('k', { cost: 3 })
    const two = await limiter.reserve('k', { cost: 1 })
    expect(await one.refund()).toBe(3)
    clock.set(14)
    expect(await two.refund()).toBe(0)
    clock.set(6.563)
    const { remaining } = await limiter.peek('k')
    expect(await limiter.refund(one.receipt ?? '')).toBe(0)
    expect((await limiter.peek('k')).remaining).toBe(remaining)
  })

  it('a receipt that gave back in part gives no more, after any jump of the clock', async () => {
    const { clock, limiter } = at(2_000, fixedWindow({ limit: 6, window: SECOND }))
    const old = await limiter.reserve('other')
    const part = await limiter.reserve('k', { cost: 4 })
    expect(await part.refund(1)).toBe(1)
    clock.set(9_000)
    expect(await old.refund()).toBe(0)
    clock.set(2_000)
    expect(await limiter.refund(part.receipt ?? '')).toBe(0)
  })

  it('a receipt from before a repair is void, even when its time comes again', async () => {
    const { clock, limiter } = at(100_000, tenASecond)
    const before = await limiter.reserve('k', { cost: 10 })
    clock.set(80_000)
    expect(await limiter.peek('k')).toMatchObject({ remaining: 0, resetAtMs: 90_000 })
    // In between nothing is in use: the state must be one life, so some use is kept all the way.
    clock.set(89_000)
    await limiter.take('k', { cost: 9 })
    clock.set(97_000)
    await limiter.take('k', { cost: 8 })
    clock.set(101_000)
    expect(await before.refund()).toBe(0)
    expect((await limiter.peek('k')).remaining).toBe(4)
  })

  it('a bucket that never refills is kept for 366 days from its last charge, whatever was given back since', async () => {
    const days = (count: number): number => count * 86_400_000
    const { clock, limiter } = at(0, tokenBucket({ capacity: 3, refill: 0, per: SECOND }))
    const reservation = await limiter.reserve('k', { cost: 3 })
    clock.set(days(100))
    expect(await reservation.refund(1)).toBe(1)
    clock.set(days(366) - 0.001)
    const last = { allowed: false, reason: 'limit', remaining: 1, retryAtMs: Number.POSITIVE_INFINITY }
    expect(await limiter.peek('k', { cost: 2 })).toMatchObject(last)
    clock.set(days(366))
    expect(await limiter.peek('k')).toMatchObject({ remaining: 3, resetAtMs: days(366) })
  })

  it('a saturated log tells its reset by what is in use, not by a charge that added nothing', async () => {
    const { clock, limiter } = at(0, slidingLog({ limit: 5, window: SECOND }))
    for (let charges = 0; charges < 3; charges++) await limiter.charge('k', 1e9)
    clock.set(1.5)
    expect(await limiter.charge('k', 1e9)).toMatchObject({ retryAtMs: 1_000, resetAtMs: 1_000 })
  })

  const policies = {
    'fixed window': fixedWindow({ limit: 2, window: SECOND }),
    'sliding window': slidingWindow({ limit: 2, window: SECOND }),
    'sliding log': slidingLog({ limit: 2, window: SECOND }),
    'token bucket': tokenBucket({ capacity: 2, refill: 2, per: SECOND }),
    gcra: gcra({ rate: 2, per: SECOND, burst: 2 }),
  }
  for (const [name, policy] of Object.entries(policies)) {
    it(`${name}: an ended state is not seen, swept or not: its reset is the instant of the decision`, async () => {
      const { clock, limiter } = at(0, policy)
      const { resetAtMs } = await limiter.take('k', { cost: 2 })
      for (const nowMs of [resetAtMs, resetAtMs + 0.001, resetAtMs + 60_000]) {
        clock.set(nowMs)
        expect(await limiter.peek('k')).toMatchObject({ allowed: true, remaining: 2, resetAtMs: nowMs })
      }
    })
  }

  it('instants are exact to the microsecond up to the horizon, and Infinity from it on', async () => {
    const horizonMs = 2 ** 42
    const { clock, limiter } = at(horizonMs - 1_000.001, fixedWindow({ limit: 1, window: SECOND }))
    expect((await limiter.take('k')).resetAtMs).toBe(horizonMs - 0.001)
    clock.set(horizonMs - 0.001)
    expect(await limiter.take('k')).toMatchObject({ allowed: true, resetAtMs: Number.POSITIVE_INFINITY })
    expect(await limiter.take('k')).toMatchObject({
      reason: 'limit',
      retryAtMs: Number.POSITIVE_INFINITY,
      retryAfterMs: Number.POSITIVE_INFINITY,
    })
  })
})
