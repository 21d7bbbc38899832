import type { Duration } from '../duration.ts'
import { oneOf, readOptions } from '../options.ts'
import {
  type CountedState,
  counted,
  limitOf,
  type Machine,
  makePolicy,
  microsOf,
  type Policy,
} from '../policy.ts'
import { chargeWindow, refundWindow, windowStart } from './window.ts'

/** `used` units in the one window that is open, from `at` on. */
const machine: Machine<CountedState> = {
  algorithm: 'fixed-window',
  open: (rule, atMicros) =>
    counted(rule.variant === 'epoch' ? windowStart(atMicros, rule.windowMicros) : atMicros),
  advance: (_rule, state) => state,
  used: (_rule, state) => state.used,
  freeAt: (rule, state) => state.at + rule.windowMicros,
  charge: chargeWindow,
  refund: refundWindow,
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
  const { limit, window, align } = readOptions('fixedWindow', options, {
    limit: limitOf,
    window: microsOf,
    align: oneOf('first', 'epoch'),
  })
  return makePolicy(machine, limit, window, align === 'epoch' ? align : '')
}
