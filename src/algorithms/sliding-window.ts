import type { Duration } from '../duration.ts'
import { mulDiv } from '../exact.ts'
import {
  type CountedState,
  checkFields,
  limitOf,
  MAX_USE,
  type Machine,
  makePolicy,
  oneOf,
  type Policy,
  type Rule,
  windowMicrosOf,
} from '../policy.ts'
import { windowStart } from './fixed-window.ts'

/** Two aligned windows in one state: `used` units in the one that `at` opens, and `rest` in the one before it. */
const machine: Machine<CountedState> = {
  algorithm: 'sliding-window',
  move: (rule, state, atMicros) => ({ ...state, at: windowStart(atMicros, rule.windowMicros) }),

  advance(rule, state, atMicros) {
    const next = state.at + rule.windowMicros
    // Something is held, so at most one window has passed.
    return atMicros < next ? state : { ...state, at: next, used: 0, rest: state.used }
  },

  used(rule, { at, used, rest }, atMicros) {
    if (rest === 0) return used
    const { quotient, remainder } = mulDiv(rest, at + rule.windowMicros - atMicros, rule.windowMicros)
    return used + (rule.variant === 'strict' && remainder > 0 ? quotient + 1 : quotient)
  },

  resetAt(rule, { at, used, rest }) {
    return used > 0
      ? weighsAtMost(rule, used, at + 2 * rule.windowMicros, 0)
      : weighsAtMost(rule, rest, at + rule.windowMicros, 0)
  },

  retryAt(rule, { at, used, rest }, cost) {
    const room = rule.limit - cost
    return used <= room
      ? weighsAtMost(rule, rest, at + rule.windowMicros, room - used)
      : weighsAtMost(rule, used, at + 2 * rule.windowMicros, room)
  },

  charge(rule, state, atMicros, units) {
    if (!state) return { at: windowStart(atMicros, rule.windowMicros), used: units, rest: 0, generation: 0 }
    return { ...state, used: Math.min(state.used + units, MAX_USE) }
  },

  refund(rule, state, _atMicros, mark, units) {
    const { at, used, rest } = state
    if (mark.chargedAtMicros === at) {
      const back = Math.min(units, used)
      return { state: { ...state, used: used - back }, units: back }
    }
    const back = mark.chargedAtMicros === at - rule.windowMicros ? Math.min(units, rest) : 0
    return { state: { ...state, rest: rest - back }, units: back }
  },
}

/** The first instant at which the units of a window that ceases to count at `endMicros` weigh at most `room`. */
function weighsAtMost(rule: Rule, units: number, endMicros: number, room: number): number {
  const { windowMicros } = rule
  if (units <= room) return endMicros - windowMicros
  // Rounded up, they do as long as units · left ≤ room · W; rounded down, as long as units · left < (room + 1) · W.
  const strict = rule.variant === 'strict'
  const { quotient, remainder } = mulDiv(strict ? room : room + 1, windowMicros, units)
  return endMicros - (strict || remainder > 0 ? quotient : quotient - 1)
}

/** Options of {@link slidingWindow}. */
export interface SlidingWindowOptions {
  /** Units a window, 0 to 1e9; 0 denies everything. */
  readonly limit: number
  /** How long a window is, 1 ms to 366 days. */
  readonly window: Duration
  /** Rounds the previous window's share up in place of down: never a unit above the weighted sum. Default false. */
  readonly strict?: boolean
}

/**
 * A sliding window counter: this window's use, and the last one's by how much of it still overlaps. The default for public APIs.
 *
 * Smooth and small, and approximate: it takes the last window's use as spread evenly. Windows are aligned to their length since 1970, so
 * a refund can't tell a charge before a `reset` in the same window from one after it.
 *
 * @throws PolicyError naming the field, the value and the rule.
 */
export function slidingWindow(options: SlidingWindowOptions): Policy {
  checkFields(options, 'slidingWindow', ['limit', 'window', 'strict'])
  return makePolicy(machine, {
    limit: limitOf('limit', options.limit),
    windowMicros: windowMicrosOf('window', options.window),
    refill: 0,
    variant: oneOf('strict', options.strict, [false, true], false) ? 'strict' : '',
  })
}
