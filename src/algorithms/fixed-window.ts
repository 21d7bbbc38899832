import type { Duration } from '../duration.ts'
import {
  checkFields,
  MAX_LIMIT,
  MAX_USE,
  type Machine,
  makePolicy,
  makeRule,
  oneOf,
  type Policy,
  type State,
  wholeNumber,
  windowMicros,
} from '../policy.ts'

/** How much was used in the one window that is open. */
interface FixedWindowState extends State {
  readonly start: number
  readonly count: number
}

const machine: Machine<FixedWindowState> = {
  algorithm: 'fixed-window',
  latest: (state) => state.start,
  expiresAt: (rule, state) => state.start + rule.windowMicros,
  advance: (_rule, state) => state,
  used: (_rule, state) => state.count,
  resetAt: (rule, state) => state.start + rule.windowMicros,
  retryAt: (rule, state) => state.start + rule.windowMicros,

  repair(rule, state, atMicros) {
    return { ...state, start: startOf(rule, atMicros), generation: (state.generation + 1) % 256 }
  },

  charge(rule, state, atMicros, units) {
    if (!state) return { start: startOf(rule, atMicros), count: units, generation: 0 }
    return { ...state, count: Math.min(state.count + units, MAX_USE) }
  },

  refund(_rule, state, _atMicros, mark, units) {
    if (mark.atMicros !== state.start) return { state, units: 0 }
    const back = Math.min(units, state.count)
    const count = state.count - back
    return { state: count > 0 ? { ...state, count } : undefined, units: back }
  },

  words: {
    save(state, words, offset) {
      words[offset] = state.start
      words[offset + 1] = state.count
      words[offset + 2] = state.generation
    },
    load: (words, offset) => ({
      start: words[offset] as number,
      count: words[offset + 1] as number,
      generation: words[offset + 2] as number,
    }),
  },
}

function startOf(rule: { windowMicros: number; variant: string }, atMicros: number): number {
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
  const window = windowMicros('window', options.window)
  const rule = makeRule(
    machine,
    {
      limit: wholeNumber('limit', options.limit, 0, MAX_LIMIT),
      windowMicros: window,
      refill: 0,
      variant: oneOf('align', options.align, ['first', 'epoch'], 'first') === 'epoch' ? 'epoch' : '',
    },
    window,
  )
  return makePolicy(rule, window / 1000)
}
