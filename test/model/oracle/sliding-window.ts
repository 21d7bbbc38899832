import { type Algorithm, MOST_USE } from './algorithm.ts'
import { ceilDiv, floorDiv, least, microsOf } from './instant.ts'
import type { SlidingWindowSpec } from './spec.ts'

interface SlidingWindowState {
  readonly start: bigint
  readonly current: bigint
  readonly previous: bigint
}

export function slidingWindow(spec: SlidingWindowSpec): Algorithm<SlidingWindowState> {
  const window = microsOf(spec.windowMs)
  const round = spec.strict ? ceilDiv : floorDiv
  const startFor = (now: bigint): bigint => floorDiv(now, window) * window

  /** The two windows as they stand at `at`. */
  function rolled(state: SlidingWindowState, at: bigint): SlidingWindowState {
    const start = startFor(at)
    if (start === state.start) return state
    return { start, current: 0n, previous: start === state.start + window ? state.current : 0n }
  }

  function used(state: SlidingWindowState, at: bigint): bigint {
    const { start, current, previous } = rolled(state, at)
    return current + round(previous * (start + window - at), window)
  }

  return {
    spanMicros: window,
    latest: (state) => state.start,
    shift: (state, now) => ({ ...state, start: startFor(now) }),
    used,
    charge(state, now, units) {
      const live = state ? rolled(state, now) : { start: startFor(now), current: 0n, previous: 0n }
      return { ...live, current: least(live.current + units, MOST_USE) }
    },
    refund(state, now, charged, units) {
      const live = rolled(state, now)
      const part =
        charged.place === live.start
          ? 'current'
          : charged.place === live.start - window
            ? 'previous'
            : undefined
      if (part === undefined) return { state, units: 0n }
      const back = least(units, live[part])
      const left = { ...live, [part]: live[part] - back }
      return { state: left.current + left.previous === 0n ? undefined : left, units: back }
    },
    voidsAt: (charged) => charged.place + 2n * window,
    lapsesAt: () => undefined,
  }
}
