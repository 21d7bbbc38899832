import { showCount, showDuration, showInstant } from '../text.ts'
import type { Columns } from './timeline.ts'

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const LABEL_WIDTH = 16
const DAY_MS = 86_400_000

/**
 * Counts over time as bars, a row for each series, within 80 columns. Denials share one scale, so that rows can be held against each
 * other; whatever is not nothing shows.
 */
export function picture(columns: Columns, labels: readonly string[]): string[] {
  const { rows, columnMs, fromMs } = columns
  const [requests = [], ...denials] = rows
  const shown = denials.slice(0, labels.length)
  const most = Math.max(...shown.flat(), 0)
  const end = fromMs + requests.length * columnMs
  return [
    `over time, each column ${showDuration(columnMs)}:`,
    barsOf('requests', requests, Math.max(...requests)),
    ...shown.map((row, i) => barsOf(labels[i] ?? '', row, most)),
    `${' '.repeat(LABEL_WIDTH)}${axis(fromMs, end, columnMs, requests.length)}`,
    `the highest columns: requests ${showCount(Math.max(...requests))}, denied ${showCount(most)}`,
  ]
}

function barsOf(label: string, row: readonly number[], most: number): string {
  return label.padEnd(LABEL_WIDTH) + row.map((count) => bar(count, most)).join('')
}

function bar(count: number, most: number): string {
  return count === 0 ? ' ' : (BARS[Math.ceil((count / most) * BARS.length) - 1] ?? '█')
}

/** When the first column begins and the last one ends; with the year where columns are days. */
function axis(fromMs: number, endMs: number, columnMs: number, width: number): string {
  const shown = (ms: number): string => {
    const instant = showInstant(ms)
    return columnMs >= DAY_MS ? instant.slice(0, 10) : instant.slice(5).replace(/:00$/, '')
  }
  const from = shown(fromMs)
  const end = shown(endMs)
  return from + end.padStart(Math.max(width - from.length, end.length + 3))
}
