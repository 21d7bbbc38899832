import { charge, read, settle } from '../algorithms/settle.ts'
import type { State } from '../policy.ts'
import type { Entry, Take } from './store.ts'

/** The line that forms at one state: what it will be, and when the last in line has gone. */
interface Line {
  state: State | undefined
  freeAtMicros: number
}

/**
 * When the last of these takes would be admitted, if each went as soon as it could, in order where they share a state, and nothing else
 * came. `Infinity` for never.
 */
export function forecast(
  takes: readonly Take[],
  nowMicros: number,
  load: (entry: Entry) => State | undefined,
): number {
  const lines = new Map<string, Line>()
  let lastMicros = nowMicros
  for (const { entries, units } of takes) {
    const mine = entries.map((entry) => lineOf(lines, entry, nowMicros, load))
    lastMicros = admissionOf(entries, units, mine)
    if (lastMicros === Number.POSITIVE_INFINITY) return lastMicros
    entries.forEach((entry, i) => {
      const line = mine[i] as Line
      line.state = charge(entry.rule, settle(entry.rule, line.state, lastMicros), units).state
      line.freeAtMicros = lastMicros
    })
  }
  return lastMicros
}

function lineOf(
  lines: Map<string, Line>,
  entry: Entry,
  nowMicros: number,
  load: (entry: Entry) => State | undefined,
): Line {
  const name = JSON.stringify([entry.identity, entry.key])
  const known = lines.get(name)
  if (known) return known
  const stored = load(entry)
  const state = stored && entry.rule.machine.copy ? entry.rule.machine.copy(stored) : stored
  const line = { state, freeAtMicros: nowMicros }
  lines.set(name, line)
  return line
}

/** The first instant from which every entry admits: once the longest wait is over, the others still admit, for nothing else comes. */
function admissionOf(entries: readonly Entry[], units: number, lines: readonly Line[]): number {
  const startMicros = Math.max(...lines.map((line) => line.freeAtMicros))
  const waits = entries.map((entry, i) => {
    const settled = settle(entry.rule, lines[i]?.state, startMicros)
    return Math.max(startMicros, read(entry.rule, settled, startMicros, units).retryAtMicros)
  })
  return Math.max(...waits)
}
