import type { Duration } from '../duration.ts'
import { mulDiv } from '../exact.ts'
import { oneOf, readOptions } from '../options.ts'
import {
  type CountedState,
  counted,
  limitOf,
  type Machine,
  makePolicy,
  microsOf,
  type Policy,
  type Rule,
} from '../policy.ts'
import { chargeWindow, refundWindow, windowStart } from './window.ts'

/** Two aligned windows in one state: `used` units in the one that `at` opens, and `rest` in the one before it. */
const machine: Machine<CountedState> = {
  algorithm: 'sliding-window',
  open: (rule, atMicros) => counted(windowStart(atMicros, rule.windowMicros)),

  advance(rule, state, atMicros) {
    const next = state.at + rule.windowMicros
    // Something is held, so at most one window has passed.
    return atMicros < next ? state : { ...state, at: next, used: 0, rest: state.used }
  },

  used({ windowMicros, variant }, { at, used, rest }, atMicros) {
    if (rest === 0) return used
    const { quotient, remainder } = mulDiv(rest, at + windowMicros - atMicros, windowMicros)
    return used + quotient + (variant === 'strict' && remainder > 0 ? 1 : 0)
  },

  freeAt(rule, { at, used, rest }, units) {
    const next = at + rule.windowMicros
    return used <= units
      ? weighsAtMost(rule, rest, next, units - used)
      : weighsAtMost(rule, used, next + rule.windowMicros, units)
  },

  charge: chargeWindow,
  refund: refundWindow,
}

/** The first instant at which the units of a window that ceases to count at `endMicros` weigh at most `room`. */
function weighsAtMost(
  { windowMicros, variant }: Rule,
  units: number,
  endMicros: number,
  room: number,
): number {
  if (units <= room) return endMicros - windowMicros
  // Rounded up, they do as long as units · left ≤ room · W; rounded down, as long as units · left < (room + 1) · W.
  const more = variant === 'strict' ? 0 : 1
  const { quotient, remainder } = mulDiv(room + more, windowMicros, units)
  return endMicros - quotient + (remainder > 0 ? 0 : more)
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
  const { limit, window, strict } = readOptions('slidingWindow', options, {
    limit: limitOf,
    window: microsOf,
    strict: oneOf(false, true),
  })
  return makePolicy(machine, limit, window, strict ? 'strict' : '')
}
