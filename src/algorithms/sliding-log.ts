import type { Duration } from '../duration.ts'
import {
  checkFields,
  limitOf,
  MAX_USE,
  type Machine,
  makePolicy,
  type Policy,
  type State,
  windowMicrosOf,
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
  used: (_rule, state) => inUse(state),
  resetAt: (rule, state) => state.at + rule.windowMicros,
  copy: (state) => ({ ...state, times: state.times.slice(), sums: state.sums.slice() }),

  move(_rule, state, atMicros) {
    const backMicros = state.at - atMicros
    for (let i = state.head; i < state.times.length; i++) state.times[i] = timeOf(state, i) - backMicros
    return { ...state, at: atMicros }
  },

  advance(rule, state, atMicros) {
    return { ...state, head: firstIndex(state, (i) => timeOf(state, i) > atMicros - rule.windowMicros) }
  },

  retryAt(rule, state, cost) {
    // The oldest entry whose leaving makes room: with the entries up to it gone, what is left and the cost fit.
    const needed = total(state) + cost - rule.limit
    return (
      timeOf(
        state,
        firstIndex(state, (i) => sumOf(state, i) >= needed),
      ) + rule.windowMicros
    )
  },

  charge(_rule, state, atMicros, units) {
    if (!state) return { at: atMicros, times: [atMicros], sums: [units], head: 0, generation: 0 }
    const log = state.head * 2 > state.times.length ? compacted(state) : state
    const added = Math.min(units, MAX_USE - inUse(log))
    // What saturation takes away is no entry: the reset is told by the newest that holds something.
    if (added === 0) return log
    const sum = total(log) + added
    if (log.at === atMicros) log.sums.pop()
    else log.times.push(atMicros)
    log.sums.push(sum)
    const next = { ...log, at: atMicros }
    return log.times.length - log.head > MAX_ENTRIES ? withoutOldestTime(next) : next
  },

  refund(_rule, state, _atMicros, mark, units) {
    const { times, sums, head } = state
    const i = firstIndex(state, (index) => timeOf(state, index) >= mark.chargedAtMicros)
    if (times[i] !== mark.chargedAtMicros) return { state, units: 0 }
    const back = Math.min(units, sumOf(state, i) - sumBefore(state, i))
    for (let k = i; k < sums.length; k++) sums[k] = sumOf(state, k) - back
    // The newest entry must be one that holds something: the reset is told by its time.
    while (times.length - 1 > head && total(state) === sumBefore(state, times.length - 1)) {
      times.pop()
      sums.pop()
    }
    return { state: { ...state, at: timeOf(state, times.length - 1) }, units: back }
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

function total(state: SlidingLogState): number {
  return sumOf(state, state.sums.length - 1)
}

function inUse(state: SlidingLogState): number {
  return total(state) - sumBefore(state, state.head)
}

/** The first entry for which `holds`; the length if none. It must go on to hold once it does. */
function firstIndex(state: SlidingLogState, holds: (index: number) => boolean): number {
  let low = state.head
  let high = state.times.length
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
  return makePolicy(machine, {
    limit: limitOf('limit', options.limit, MAX_ENTRIES),
    windowMicros: windowMicrosOf('window', options.window),
    refill: 0,
    variant: '',
  })
}
