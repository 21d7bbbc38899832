import { type CountedState, MAX_USE, type Mark, type Rule } from '../policy.ts'

/** The start of the epoch-aligned window that an instant lies in. Below 2⁵² the rounded division can't reach the next whole number. */
export function windowStart(atMicros: number, windowMicros: number): number {
  return Math.floor(atMicros / windowMicros) * windowMicros
}

/** Charges the window that `at` opens. */
export function chargeWindow(_rule: Rule, state: CountedState, _atMicros: number, units: number): void {
  state.used = Math.min(state.used + units, MAX_USE)
}

/** Gives back from whichever of the two windows is the mark's. */
export function refundWindow(
  { windowMicros }: Rule,
  state: CountedState,
  _atMicros: number,
  { chargedAtMicros }: Mark,
  units: number,
): number {
  const window = chargedAtMicros === state.at ? 'used' : 'rest'
  if (window === 'rest' && chargedAtMicros !== state.at - windowMicros) return 0
  const back = Math.min(units, state[window])
  state[window] -= back
  return back
}
