import type { Duration } from '../duration.ts'
import {
  type CountedState,
  checkFields,
  limitOf,
  MAX_USE,
  type Machine,
  makePolicy,
  oneOf,
  type Policy,
  type RuleNumbers,
  windowMicrosOf,
} from '../policy.ts'

/** `used` units in the one window that is open, from `at` on. */
const machine: Machine<CountedState> = {
  algorithm: 'fixed-window',
  move: (rule, state, atMicros) => ({ ...state, at: startOf(rule, atMicros) }),
  advance: (_rule, state) => state,
  used: (_rule, state) => state.used,
  resetAt: (rule, state) => state.at + rule.windowMicros,
  retryAt: (rule, state) => state.at + rule.windowMicros,

  charge(rule, state, atMicros, units) {
    if (!state) return { at: startOf(rule, atMicros), used: units, rest: 0, generation: 0 }
    return { ...state, used: Math.min(state.used + units, MAX_USE) }
  },

  refund(_rule, state, _atMicros, mark, units) {
    const back = mark.chargedAtMicros === state.at ? Math.min(units, state.used) : 0
    return { state: { ...state, used: state.used - back }, units: back }
  },
}

function startOf(rule: RuleNumbers, atMicros: number): number {
  return rule.variant === 'epoch' ? windowStart(atMicros, rule.windowMicros) : atMicros
}

/** The start of the epoch-aligned window that an instant lies in. Below 2⁵² the rounded division can't reach the next whole number. */
export function windowStart(atMicros: number, windowMicros: number): number {
  return Math.floor(atMicros / windowMicros) * windowMicros
}

/** Options of {@link fixedWindow}. */
export interface FixedWindowOptions {
  /** Units a window, 0 to 1e9; 0 denies everything. */
  readonly limit: number
  /** How long a window is, 1 ms to 366 days. */
  readonly window: Duration
  /** Where a window starts: at its first charge (the default), or at the multiples of its length since 1970, in UTC. */
  readonly align?: 'first' | 'epoch'
}

/**
 * A fixed window: at most `limit` units from the first charge until `window` later, then all of it again.
 *
 * The cheapest, and the one whose edge admits double: a client that spends its limit at the end of one window and again at the start of
 * the next has twice the limit within one window's length. Where that matters take {@link slidingWindow}.
 *
 * @throws PolicyError naming the field, the value and the rule.
 */
export function fixedWindow(options: FixedWindowOptions): Policy {
  checkFields(options, 'fixedWindow', ['limit', 'window', 'align'])
  return makePolicy(machine, {
    limit: limitOf('limit', options.limit),
    windowMicros: windowMicrosOf('window', options.window),
    refill: 0,
    variant: oneOf('align', options.align, ['first', 'epoch'], 'first') === 'epoch' ? 'epoch' : '',
  })
}
