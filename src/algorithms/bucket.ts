import { mulDiv, mulDivUp } from '../exact.ts'
import {
  type Algorithm,
  type CountedState,
  limitOf,
  MAX_KEEP_MICROS,
  type Machine,
  makePolicy,
  type Policy,
  type Rule,
  windowMicrosOf,
} from '../policy.ts'

/** Debt is counted exactly up to here, whatever the rate. */
const MAX_DEBT = 2 ** 52

/**
 * The machine of token bucket and GCRA: at `at`, `used + rest / P` units are in use (P the period in microseconds, `rest` below it), and r
 * units come back each P. A theoretical arrival time in whole microseconds could not be exact: a third of a second has none.
 */
export function bucketMachine(algorithm: Algorithm): Machine<CountedState> {
  return {
    algorithm,
    move: (_rule, state, atMicros) => ({ ...state, at: atMicros }),
    used: (_rule, state) => wholeUnits(state),
    resetAt: (rule, state) => downTo(rule, state, 0),
    retryAt: (rule, state, cost) => downTo(rule, state, rule.limit - cost),

    // Refilled never, it is forgotten in the end all the same, and a clock may be as far ahead of it.
    expiresAt: (rule, state) => (rule.refill > 0 ? downTo(rule, state, 0) : state.at + MAX_KEEP_MICROS),
    span: ({ limit, windowMicros, refill }) =>
      refill > 0 ? mulDivUp(limit, windowMicros, refill) : MAX_KEEP_MICROS,

    advance(rule, state, atMicros) {
      // Its last charge stays what a bucket that is never refilled is kept from.
      if (rule.refill === 0) return state
      const refilled = mulDiv(atMicros - state.at, rule.refill, rule.windowMicros)
      const rest = state.rest - refilled.remainder
      const borrow = rest < 0 ? 1 : 0
      const used = state.used - refilled.quotient - borrow
      return { ...state, at: atMicros, used, rest: rest + borrow * rule.windowMicros }
    },

    charge(rule, state, atMicros, units) {
      const most = rule.limit + mulDiv(MAX_KEEP_MICROS, rule.refill, rule.windowMicros).quotient
      const top = Math.min(most, MAX_DEBT)
      if (!state) return { at: atMicros, used: Math.min(units, top), rest: 0, generation: 0 }
      const at = atMicros
      if (state.used >= top) return { ...state, at }
      const used = state.used + units
      return used < top ? { ...state, at, used } : { ...state, at, used: top, rest: 0 }
    },

    refund(rule, state, atMicros, mark, units) {
      const ahead = mark.resetAtMicros - atMicros
      if (ahead <= 0 || mark.chargedAtMicros > atMicros) return { state, units: 0 }
      // What has refilled since the charge is back by itself: no more can come back than will refill until the reset it told.
      const unfilled =
        ahead < Number.POSITIVE_INFINITY ? mulDiv(ahead, rule.refill, rule.windowMicros).quotient : units
      const back = Math.min(units, wholeUnits(state), unfilled)
      const used = state.used - back
      return { state: used < 0 ? { ...state, used: 0, rest: 0 } : { ...state, used }, units: back }
    },
  }
}

/** A policy on a bucket, from options that are yet to be checked; each field by its own name. */
export function bucketPolicy(
  machine: Machine<CountedState>,
  limit: readonly [field: string, value: unknown],
  refill: readonly [field: string, value: unknown],
  per: unknown,
): Policy {
  return makePolicy(machine, {
    limit: limitOf(...limit),
    refill: limitOf(...refill),
    windowMicros: windowMicrosOf('per', per),
    variant: '',
  })
}

function wholeUnits(state: CountedState): number {
  return state.rest > 0 ? state.used + 1 : state.used
}

/** The first instant at which no more than `units` are in use: `at + ceil(((used − units) · P + rest) / r)`. */
function downTo(rule: Rule, state: CountedState, units: number): number {
  if (rule.refill === 0) return Number.POSITIVE_INFINITY
  const { quotient, remainder } = mulDiv(state.used - units, rule.windowMicros, rule.refill)
  return state.at + quotient + Math.ceil((remainder + state.rest) / rule.refill)
}
