import { spreadOf } from '../statistics.ts'
import { grouped, rounded, tableOf } from '../table.ts'
import { MEASURES, type Measure, type Row } from './rows.ts'

const titles: { readonly [M in Measure]: string } = {
  admitted: 'admitted: ns a decision, and how many times as fast as …',
  denied: 'denied: ns a decision, and how many times as fast as …',
  bytes: 'bytes a key, and how much of what … takes',
}

/** One table for each number of keys and each measure, the best first. */
export function reportOf(rows: readonly Row[]): string {
  const counts = [...new Set(rows.map(({ keys }) => keys))]
  return counts
    .flatMap((keys) => MEASURES.map((measure) => section(keys, measure, rows)))
    .filter((text) => text !== '')
    .join('\n\n')
}

function section(keys: number, measure: Measure, all: readonly Row[]): string {
  const rows = all
    .filter((row) => row.keys === keys && row.measure === measure)
    .toSorted((a, b) => a.value.median - b.value.median)
  const [first] = rows
  if (!first) return ''
  const rivals = Object.keys(first.ratios)
  const lines = rows.map(({ contender, value, ratios }) => [
    contender,
    grouped(value.median),
    `${grouped(value.low)}–${grouped(value.high)}`,
    ...rivals.map((rival) => rounded((ratios[rival] ?? spreadOf([Number.NaN])).median)),
  ])
  return `${grouped(keys)} keys, ${titles[measure]}\n${tableOf(['', 'median', 'range', ...rivals], lines)}`
}
