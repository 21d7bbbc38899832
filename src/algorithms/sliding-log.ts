import type { Duration } from '../duration.ts'
import { readOptions, whole } from '../options.ts'
import { MAX_USE, type Machine, makePolicy, microsOf, type Policy, type State } from '../policy.ts'

/** The largest limit of a log, and so the most entries it ever needs to tell apart. */
const MAX_ENTRIES = 1e6

/**
 * Every charge of the last window, oldest first from `head` on. `sums` counts up: the units of entry i and of all before it, so that
 * expiry and the wait are binary searches, and reading changes nothing.
 */
interface SlidingLogState extends State {
  times: number[]
  sums: number[]
  head: number
}

const machine: Machine<SlidingLogState> = {
  algorithm: 'sliding-log',
  whole: true,
  open: (_rule, at) => ({ at, generation: 0, times: [], sums: [], head: 0 }),
  used: (_rule, state) => sumBefore(state, state.sums.length) - sumBefore(state, state.head),

  shift(state, byMicros) {
    state.times = state.times.map((time) => time + byMicros)
  },

  advance(rule, state, atMicros) {
    const head = firstAbove(state.times, atMicros - rule.windowMicros, state.head)
    return head === state.head ? state : { ...state, head }
  },

  freeAt(rule, state, units) {
    const { times, sums, head } = state
    if (units === 0) return state.at + rule.windowMicros
    // The oldest entry whose leaving makes room: with it and those before it gone, no more than `units` are left.
    const gone = sumBefore(state, sums.length) - units
    return (times[firstAbove(sums, gone - 1, head)] as number) + rule.windowMicros
  },

  charge(rule, state, atMicros, units) {
    if (state.head * 2 > state.times.length) compact(state)
    const added = Math.min(units, MAX_USE - machine.used(rule, state, atMicros))
    // What saturation takes away is no entry: the reset is told by the newest that holds something.
    if (added === 0) return
    const sum = sumBefore(state, state.sums.length) + added
    if (state.times.at(-1) === atMicros) state.sums.pop()
    else state.times.push(atMicros)
    state.sums.push(sum)
    state.at = atMicros
    // In debt a log may have more entries than any limit can tell apart. The oldest then counts until the second oldest leaves: no
    // decision is changed by it, for the newer entries alone exceed the largest limit.
    if (state.times.length - state.head > MAX_ENTRIES) {
      state.sums[state.head] = sumBefore(state, state.head)
      state.head++
    }
  },

  refund(_rule, state, _atMicros, { chargedAtMicros }, units) {
    const { times, sums, head } = state
    const i = firstAbove(times, chargedAtMicros - 1, head)
    if (times[i] !== chargedAtMicros) return 0
    const back = Math.min(units, sumBefore(state, i + 1) - sumBefore(state, i))
    for (let k = i; k < sums.length; k++) sums[k] = (sums[k] as number) - back
    // The newest entry must be one that holds something: the reset is told by its time.
    while (times.length - 1 > head && sums.at(-1) === sums.at(-2)) {
      times.pop()
      sums.pop()
    }
    state.at = times.at(-1) as number
    return back
  },
}

/** The units of all entries before one. */
function sumBefore({ sums }: SlidingLogState, index: number): number {
  return index > 0 ? (sums[index - 1] as number) : 0
}

/** The first of the numbers, which go up, that is above a bound; the length if none is. */
function firstAbove(numbers: readonly number[], bound: number, from: number): number {
  let low = from
  let high = numbers.length
  // Mostly the oldest has not left yet.
  if (low < high && (numbers[low] as number) > bound) return low
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) > bound) high = middle
    else low = middle + 1
  }
  return low
}

/** Frees the room that left entries took; the sums start anew, so that they never grow past what doubles count. */
function compact(state: SlidingLogState): void {
  const base = sumBefore(state, state.head)
  state.times = state.times.slice(state.head)
  state.sums = state.sums.slice(state.head).map((sum) => sum - base)
  state.head = 0
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
  const { limit, window } = readOptions('slidingLog', options, {
    limit: whole('ERR_HEADGATE_LIMIT', 0, MAX_ENTRIES),
    window: microsOf,
  })
  return makePolicy(machine, limit, window)
}
