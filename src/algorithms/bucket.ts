import { NEVER } from '../clock.ts'
import { mulDiv, type Quotient } from '../exact.ts'
import {
  type Algorithm,
  type CountedState,
  counted,
  MAX_KEEP_MICROS,
  type Machine,
  type Rule,
  type RuleNumbers,
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
    open: (_rule, atMicros) => counted(atMicros),
    used: (_rule, state) => wholeUnits(state),

    freeAt,

    // What is refilled never is kept for as long, and a clock may be as far behind it.
    span: (numbers) =>
      numbers.refill > 0 ? freeAt(numbers, { ...counted(0), used: numbers.limit }, 0) : MAX_KEEP_MICROS,

    advance(rule, state, atMicros) {
      // Its last charge stays what a bucket that is never refilled is kept from.
      if (rule.refill === 0) return state
      const { quotient, remainder } = refilled(rule, atMicros - state.at)
      const borrow = state.rest < remainder ? 1 : 0
      return {
        ...state,
        at: atMicros,
        used: state.used - quotient - borrow,
        rest: state.rest - remainder + borrow * rule.windowMicros,
      }
    },

    charge(rule, state, atMicros, units) {
      state.at = atMicros
      const used = state.used + units
      if (used > rule.limit) return owe(rule, state, used)
      state.used = used
    },

    refund(rule, state, atMicros, mark, units) {
      const aheadMicros = mark.resetAtMicros - atMicros
      if (aheadMicros <= 0 || mark.chargedAtMicros > atMicros) return 0
      // What has refilled since the charge is back by itself: no more can come back than will refill until the reset it told.
      const back = Math.min(units, wholeUnits(state), refilled(rule, aheadMicros).quotient)
      state.used -= back
      if (state.used < 0) Object.assign(state, { used: 0, rest: 0 })
      return back
    },
  }
}

/** Use past the limit is debt: at most what comes back in 366 days. */
function owe(rule: Rule, state: CountedState, used: number): void {
  const top = Math.min(rule.limit + refilled(rule, MAX_KEEP_MICROS).quotient, MAX_DEBT)
  if (state.used >= top) return
  state.used = Math.min(used, top)
  if (used >= top) state.rest = 0
}

/** `at + ceil(((used − units) · P + rest) / r)` */
function freeAt(
  { refill, windowMicros }: RuleNumbers,
  { at, used, rest }: CountedState,
  units: number,
): number {
  if (refill === 0) return NEVER
  const { quotient, remainder } = mulDiv(used - units, windowMicros, refill)
  return at + quotient + Math.ceil((remainder + rest) / refill)
}

/** Units that come back in a time, and the part of a unit besides; without end if the time is. */
function refilled({ refill, windowMicros }: Rule, micros: number): Quotient {
  return mulDiv(micros, refill, windowMicros)
}

function wholeUnits(state: CountedState): number {
  return state.rest > 0 ? state.used + 1 : state.used
}
