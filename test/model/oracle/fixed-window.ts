import { type Algorithm, MOST_USE } from './algorithm.ts'
import { floorDiv, least, microsOf } from './instant.ts'
import type { FixedWindowSpec } from './spec.ts'

interface FixedWindowState {
  readonly start: bigint
  readonly count: bigint
}

export function fixedWindow(spec: FixedWindowSpec): Algorithm<FixedWindowState> {
  const window = microsOf(spec.windowMs)
  const startFor = (now: bigint): bigint => (spec.align === 'epoch' ? floorDiv(now, window) * window : now)
  const used = (state: FixedWindowState, at: bigint): bigint => (at < state.start + window ? state.count : 0n)
  return {
    spanMicros: window,
    latest: (state) => state.start,
    shift: (state, now) => ({ start: startFor(now), count: state.count }),
    used,
    charge(state, now, units) {
      const live = state && used(state, now) > 0n ? state : { start: startFor(now), count: 0n }
      return { start: live.start, count: least(live.count + units, MOST_USE) }
    },
    refund(state, _now, charged, units) {
      if (charged.place !== state.start) return { state, units: 0n }
      const back = least(units, state.count)
      return {
        state: back === state.count ? undefined : { ...state, count: state.count - back },
        units: back,
      }
    },
    voidsAt: (charged) => charged.place + window,
    lapsesAt: () => undefined,
  }
}
