import { type Algorithm, MOST_USE } from './algorithm.ts'
import { least, microsOf } from './instant.ts'
import type { SlidingLogSpec } from './spec.ts'

interface Entry {
  readonly at: bigint
  readonly units: bigint
}

/** Oldest first; never empty. */
type SlidingLogState = readonly Entry[]

const sum = (entries: SlidingLogState): bigint => entries.reduce((units, entry) => units + entry.units, 0n)

export function slidingLog(spec: SlidingLogSpec): Algorithm<SlidingLogState> {
  const window = microsOf(spec.windowMs)
  const newest = (state: SlidingLogState): bigint => state[state.length - 1]?.at ?? 0n
  const live = (state: SlidingLogState, at: bigint): SlidingLogState =>
    state.filter((entry) => entry.at > at - window)
  return {
    spanMicros: window,
    latest: newest,
    shift: (state, now) => state.map((entry) => ({ ...entry, at: entry.at - newest(state) + now })),
    used: (state, at) => sum(live(state, at)),
    charge(state, now, units) {
      const kept = live(state ?? [], now)
      const added = least(units, MOST_USE - sum(kept))
      const merged = kept.find((entry) => entry.at === now)?.units ?? 0n
      const others = kept.filter((entry) => entry.at !== now)
      return merged + added > 0n ? [...others, { at: now, units: merged + added }] : others
    },
    refund(state, now, charged, units) {
      const kept = live(state, now)
      const back = least(units, kept.find((entry) => entry.at === charged.place)?.units ?? 0n)
      const left = kept
        .map((entry) => (entry.at === charged.place ? { ...entry, units: entry.units - back } : entry))
        .filter((entry) => entry.units > 0n)
      return { state: left.length > 0 ? left : undefined, units: back }
    },
    voidsAt: (charged) => charged.place + window,
    lapsesAt: () => undefined,
  }
}
