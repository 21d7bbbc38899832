import type { Duration } from '../duration.ts'
import { mulDiv, mulDivUp } from '../exact.ts'
import {
  checkFields,
  MAX_LIMIT,
  MAX_USE,
  type Machine,
  makePolicy,
  makeRule,
  oneOf,
  type Policy,
  type Rule,
  type State,
  wholeNumber,
  windowMicros,
} from '../policy.ts'
import { windowStart } from './fixed-window.ts'

/** Two aligned windows in one state: the one that `start` opens, and the one before it. */
interface SlidingWindowState extends State {
  readonly start: number
  readonly current: number
  readonly previous: number
}

const machine: Machine<SlidingWindowState> = {
  algorithm: 'sliding-window',
  latest: (state) => state.start,
  expiresAt: resetAt,
  resetAt,

  repair(rule, state, atMicros) {
    const start = windowStart(atMicros, rule.windowMicros)
    return { ...state, start, generation: (state.generation + 1) % 256 }
  },

  advance(rule, state, atMicros) {
    const { windowMicros } = rule
    if (atMicros < state.start + windowMicros) return state
    // Something is held, so this is the next window and none further.
    return { ...state, start: state.start + windowMicros, current: 0, previous: state.current }
  },

  used(rule, state, atMicros) {
    if (state.previous === 0) return state.current
    const weigh = rule.variant === 'strict' ? mulDivUp : mulDivDown
    return (
      state.current + weigh(state.previous, state.start + rule.windowMicros - atMicros, rule.windowMicros)
    )
  },

  retryAt(rule, state, cost) {
    const { windowMicros } = rule
    const room = rule.limit - cost - state.current
    return room >= 0
      ? weighsAtMost(rule, state.previous, state.start + windowMicros, room)
      : weighsAtMost(rule, state.current, state.start + 2 * windowMicros, rule.limit - cost)
  },

  charge(rule, state, atMicros, units) {
    if (!state) {
      return { start: windowStart(atMicros, rule.windowMicros), current: units, previous: 0, generation: 0 }
    }
    return { ...state, current: Math.min(state.current + units, MAX_USE) }
  },

  refund(rule, state, atMicros, mark, units) {
    const inCurrent = mark.atMicros === state.start
    const inPrevious = mark.atMicros === state.start - rule.windowMicros
    const held = inCurrent ? state.current : inPrevious ? state.previous : 0
    const back = Math.min(units, held)
    const left = inCurrent
      ? { ...state, current: state.current - back }
      : { ...state, previous: state.previous - (inPrevious ? back : 0) }
    return { state: machine.used(rule, left, atMicros) > 0 ? left : undefined, units: back }
  },

  words: {
    save(state, words, offset) {
      words[offset] = state.start
      words[offset + 1] = state.current * 256 + state.generation
      words[offset + 2] = state.previous
    },
    load(words, offset) {
      const packed = words[offset + 1] as number
      const current = Math.floor(packed / 256)
      return {
        start: words[offset] as number,
        current,
        previous: words[offset + 2] as number,
        generation: packed - current * 256,
      }
    },
  },
}

function mulDivDown(n: number, m: number, w: number): number {
  return mulDiv(n, m, w).quotient
}

function resetAt(rule: Rule, state: SlidingWindowState): number {
  const { windowMicros } = rule
  return state.current > 0
    ? weighsAtMost(rule, state.current, state.start + 2 * windowMicros, 0)
    : weighsAtMost(rule, state.previous, state.start + windowMicros, 0)
}

/** The first instant at which the units of a window that ceases to count at `endMicros` weigh at most `room`. */
function weighsAtMost(rule: Rule, units: number, endMicros: number, room: number): number {
  const { windowMicros } = rule
  if (units <= room) return endMicros - windowMicros
  // Rounded down, units · left / W ≤ room as long as units · left < (room + 1) · W; rounded up, as long as units · left ≤ room · W.
  if (rule.variant === 'strict') return endMicros - mulDivDown(room, windowMicros, units)
  const { quotient, remainder } = mulDiv(room + 1, windowMicros, units)
  return endMicros - (remainder > 0 ? quotient : quotient - 1)
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
  const window = windowMicros('window', options.window)
  const rule = makeRule(
    machine,
    {
      limit: wholeNumber('limit', options.limit, 0, MAX_LIMIT),
      windowMicros: window,
      refill: 0,
      variant: oneOf('strict', options.strict, [false, true], false) ? 'strict' : '',
    },
    window,
  )
  return makePolicy(rule, window / 1000)
}
