import type { Duration } from '../duration.ts'
import {
  checkFields,
  MAX_USE,
  type Machine,
  makePolicy,
  makeRule,
  type Policy,
  type State,
  wholeNumber,
  windowMicros,
} from '../policy.ts'

/** The largest limit of a log, and so the most entries it ever needs to tell apart. */
const MAX_ENTRIES = 1e6

/**
 * Every charge of the last window, oldest first from `head` on. `sums` counts up: the units of entry i and of all before it, so that
 * expiry and the wait are binary searches, and reading changes nothing.
 */
interface SlidingLogState extends State {
  readonly times: number[]
  readonly sums: number[]
  readonly head: number
}

const machine: Machine<SlidingLogState> = {
  algorithm: 'sliding-log',
  latest,
  expiresAt: (rule, state) => latest(state) + rule.windowMicros,
  resetAt: (rule, state) => latest(state) + rule.windowMicros,

  repair(_rule, state, atMicros) {
    const backMicros = latest(state) - atMicros
    for (let i = state.head; i < state.times.length; i++) state.times[i] = timeOf(state, i) - backMicros
    return { ...state, generation: (state.generation + 1) % 256 }
  },

  advance(rule, state, atMicros) {
    const head = firstIndex(
      state.head,
      state.times.length,
      (i) => timeOf(state, i) > atMicros - rule.windowMicros,
    )
    return head === state.head ? state : { ...state, head }
  },

  used: (_rule, state) => total(state) - sumBefore(state, state.head),

  retryAt(rule, state, cost) {
    // The oldest entry whose leaving makes room: with the entries up to i gone, what is left and the cost fit.
    const needed = total(state) + cost - rule.limit
    const i = firstIndex(state.head, state.times.length, (index) => sumOf(state, index) >= needed)
    return timeOf(state, i) + rule.windowMicros
  },

  charge(_rule, state, atMicros, units) {
    if (!state) return { times: [atMicros], sums: [units], head: 0, generation: 0 }
    const log = state.head > 8 && state.head * 2 > state.times.length ? compacted(state) : state
    const last = log.times.length - 1
    const room = MAX_USE - (total(log) - sumBefore(log, log.head))
    const sum = total(log) + Math.min(units, room)
    if (latest(log) === atMicros) {
      log.sums[last] = sum
    } else if (room > 0) {
      log.times.push(atMicros)
      log.sums.push(sum)
    }
    return log.times.length - log.head > MAX_ENTRIES ? withoutOldestTime(log) : log
  },

  copy: (state) => ({ ...state, times: state.times.slice(), sums: state.sums.slice() }),

  refund(_rule, state, _atMicros, mark, units) {
    const i = firstIndex(state.head, state.times.length, (index) => timeOf(state, index) >= mark.atMicros)
    if (state.times[i] !== mark.atMicros) return { state, units: 0 }
    const back = Math.min(units, sumOf(state, i) - sumBefore(state, i))
    for (let k = i; k < state.sums.length; k++) state.sums[k] = sumOf(state, k) - back
    // The newest entry must be one that holds something: the reset is told by its time.
    while (state.times.length > state.head && total(state) === sumBefore(state, state.times.length - 1)) {
      state.times.pop()
      state.sums.pop()
    }
    return { state: state.times.length > state.head ? state : undefined, units: back }
  },
}

function timeOf(state: SlidingLogState, index: number): number {
  return state.times[index] as number
}

function sumOf(state: SlidingLogState, index: number): number {
  return state.sums[index] as number
}

function sumBefore(state: SlidingLogState, index: number): number {
  return index > 0 ? sumOf(state, index - 1) : 0
}

function latest(state: SlidingLogState): number {
  return timeOf(state, state.times.length - 1)
}

function total(state: SlidingLogState): number {
  return sumOf(state, state.sums.length - 1)
}

/** The first index from `from` on, below `to`, for which `holds`; `to` if none. `holds` must stay true once it is. */
function firstIndex(from: number, to: number, holds: (index: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The same log without the room that left entries took; the sums start anew, so that they never grow past what doubles count. */
function compacted(state: SlidingLogState): SlidingLogState {
  const base = sumBefore(state, state.head)
  return {
    ...state,
    times: state.times.slice(state.head),
    sums: state.sums.slice(state.head).map((sum) => sum - base),
    head: 0,
  }
}

/**
 * In debt a log may have more entries than any limit can tell apart. The oldest then counts until the second oldest leaves: no decision
 * is changed by it, for the newer entries alone exceed the largest limit.
 */
function withoutOldestTime(state: SlidingLogState): SlidingLogState {
  state.sums[state.head] = sumBefore(state, state.head)
  return { ...state, head: state.head + 1 }
}

/** Options of {@link slidingLog}. */
export interface SlidingLogOptions {
  /** Units a window, 0 to 1e6; 0 denies everything. */
  readonly limit: number
  /** How long a window is, 1 ms to 366 days. */
  readonly window: Duration
}

/**
 * A sliding log: never more than `limit` units in any `window`, to the microsecond. For quotas that people argue about.
 *
 * The only exact one, and it pays with memory: one entry for each charge in the window (16 bytes, more while it grows).
 *
 * @throws PolicyError naming the field, the value and the rule.
 */
export function slidingLog(options: SlidingLogOptions): Policy {
  checkFields(options, 'slidingLog', ['limit', 'window'])
  const window = windowMicros('window', options.window)
  const limit = wholeNumber('limit', options.limit, 0, MAX_ENTRIES)
  return makePolicy(
    makeRule(machine, { limit, windowMicros: window, refill: 0, variant: '' }, window),
    window / 1000,
  )
}
