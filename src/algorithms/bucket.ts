import { mulDiv, mulDivUp } from '../exact.ts'
import {
  type Algorithm,
  MAX_KEEP_MICROS,
  type Machine,
  makePolicy,
  makeRule,
  type Policy,
  type Rule,
  type State,
} from '../policy.ts'

/**
 * The machine of token bucket and GCRA: at `at`, `used + fraction / P` units are in use (P the period in microseconds, the fraction below
 * it), and r units come back each P. A theoretical arrival time in whole microseconds could not be exact: a third of a second has none.
 */
interface BucketState extends State {
  readonly at: number
  readonly used: number
  readonly fraction: number
}

/** Debt is counted exactly up to here, whatever the rate. */
const MAX_DEBT = 2 ** 52

export function bucketMachine(algorithm: Algorithm): Machine<BucketState> {
  return {
    algorithm,
    latest: (state) => state.at,
    expiresAt: (rule, state) => (rule.refill > 0 ? resetAt(rule, state) : state.at + MAX_KEEP_MICROS),
    repair: (_rule, state, atMicros) => ({
      ...state,
      at: atMicros,
      generation: (state.generation + 1) % 256,
    }),
    advance,
    used: (_rule, state) => wholeUnits(state),
    resetAt,
    retryAt: (rule, state, cost) => downTo(rule, state, rule.limit - cost),

    charge(rule, state, atMicros, units) {
      const most = mostInUse(rule)
      if (!state) return { at: atMicros, used: Math.min(units, most), fraction: 0, generation: 0 }
      if (state.used >= most) return state
      const used = state.used + units
      return used < most ? { ...state, used } : { ...state, used: most, fraction: 0 }
    },

    refund(rule, state, atMicros, mark, units) {
      // What has refilled since the charge is back already: no more can still come back than what refills until the reset told then.
      const ahead = mark.endMicros - atMicros
      if (ahead <= 0 || mark.atMicros > atMicros) return { state, units: 0 }
      const unfilled =
        rule.refill > 0
          ? mulDiv(Math.min(ahead, Number.MAX_SAFE_INTEGER), rule.refill, rule.windowMicros).quotient
          : units
      const back = Math.min(units, wholeUnits(state), unfilled)
      const used = state.used - back
      const held = used > 0 || (used === 0 && state.fraction > 0)
      return { state: held ? { ...state, used } : undefined, units: back }
    },

    words: {
      save(state, words, offset) {
        words[offset] = state.at
        words[offset + 1] = state.used
        words[offset + 2] = state.fraction * 256 + state.generation
      },
      load(words, offset) {
        const packed = words[offset + 2] as number
        const fraction = Math.floor(packed / 256)
        return {
          at: words[offset] as number,
          used: words[offset + 1] as number,
          fraction,
          generation: packed - fraction * 256,
        }
      },
    },
  }
}

/** A policy on a bucket of `limit` units into which `refill` come back each `windowMicros`. */
export function bucketPolicy(
  machine: Machine<BucketState>,
  limit: number,
  refill: number,
  windowMicros: number,
): Policy {
  // Never refilled, a bucket is kept for 366 days: so long a clock may be ahead of it.
  const spanMicros = refill > 0 ? mulDivUp(limit, windowMicros, refill) : MAX_KEEP_MICROS
  const rule = makeRule(machine, { limit, windowMicros, refill, variant: '' }, spanMicros)
  const fillMs = refill > 0 ? (limit * (windowMicros / 1000)) / refill : Number.POSITIVE_INFINITY
  return makePolicy(rule, fillMs)
}

function wholeUnits(state: BucketState): number {
  return state.fraction > 0 ? state.used + 1 : state.used
}

/** Refills to an instant; something is in use there still. */
function advance(rule: Rule, state: BucketState, atMicros: number): BucketState {
  const refilled = mulDiv(atMicros - state.at, rule.refill, rule.windowMicros)
  const used = state.used - refilled.quotient
  const fraction = state.fraction - refilled.remainder
  return fraction < 0
    ? { ...state, at: atMicros, used: used - 1, fraction: fraction + rule.windowMicros }
    : { ...state, at: atMicros, used, fraction }
}

function resetAt(rule: Rule, state: BucketState): number {
  return downTo(rule, state, 0)
}

/** The first instant at which no more than `units` are in use: `at + ceil(((used − units) · P + fraction) / r)`. */
function downTo(rule: Rule, state: BucketState, units: number): number {
  if (rule.refill === 0) return Number.POSITIVE_INFINITY
  const { quotient, remainder } = mulDiv(state.used - units, rule.windowMicros, rule.refill)
  return state.at + quotient + Math.ceil((remainder + state.fraction) / rule.refill)
}

/** A charge never takes a bucket's use past its capacity and what refills in 366 days. */
function mostInUse(rule: Rule): number {
  return Math.min(rule.limit + mulDiv(MAX_KEEP_MICROS, rule.refill, rule.windowMicros).quotient, MAX_DEBT)
}
