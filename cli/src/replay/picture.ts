import { showCount, showDuration, showInstant } from '../text.ts'
import type { Columns } from './timeline.ts'

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const LABEL_WIDTH = 16

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
    `${' '.repeat(LABEL_WIDTH)}${axis(fromMs, end, requests.length)}`,
    `the highest column: ${showCount(Math.max(...requests))} requests, ${showCount(most)} denied`,
  ]
}

function barsOf(label: string, row: readonly number[], most: number): string {
  return label.padEnd(LABEL_WIDTH) + row.map((count) => bar(count, most)).join('')
}

function bar(count: number, most: number): string {
  return count === 0 ? ' ' : (BARS[Math.ceil((count / most) * BARS.length) - 1] ?? '█')
}

/** When the first column begins and the last one ends. */
function axis(fromMs: number, endMs: number, width: number): string {
  const [from, end] = [fromMs, endMs].map((ms) => showInstant(ms).slice(5)) as [string, string]
  const cut = (text: string): string => (text.endsWith(':00') ? text.slice(0, -3) : text)
  return cut(from) + cut(end).padStart(Math.max(width - cut(from).length, cut(end).length + 3))
}
