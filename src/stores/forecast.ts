import { NEVER } from '../clock.ts'
import { type Entry, stateName } from '../entry.ts'
import type { State } from '../policy.ts'
import { decide, type States } from './decide.ts'
import type { Take } from './store.ts'

/** The line that forms at one state: what it will be, and when the last in line has gone. */
interface Line {
  state: State | undefined
  freeAtMicros: number
}

/**
 * When the last of these takes would be admitted, if each went as soon as it could, in order where they share a state, and nothing else
 * came. `Infinity` for never. Changes nothing.
 */
export function forecast(stored: States, nowMicros: number, takes: readonly Take[]): number {
  const lines = new Map<string, Line>()
  const lineOf = (entry: Entry): Line => {
    const name = stateName(entry)
    const line = lines.get(name) ?? { state: structuredClone(stored.load(entry)), freeAtMicros: nowMicros }
    lines.set(name, line)
    return line
  }
  const states: States = {
    load: (entry) => lineOf(entry).state,
    save: (entry, state) => void Object.assign(lineOf(entry), { state }),
    makeRoom() {},
  }
  let lastMicros = nowMicros
  for (const { entries, units } of takes) {
    const startMicros = Math.max(...entries.map((entry) => lineOf(entry).freeAtMicros))
    const { readings } = decide(states, startMicros, 'peek', entries, units)
    // Once the longest wait is over, the others still admit, for nothing else comes.
    lastMicros = Math.max(...readings.map((reading) => reading.retryAtMicros))
    if (lastMicros === NEVER) break
    decide(states, lastMicros, 'charge', entries, units)
    for (const entry of entries) lineOf(entry).freeAtMicros = lastMicros
  }
  return lastMicros
}
