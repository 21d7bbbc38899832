import Table from 'cli-table3'
import type { Policy } from 'headgate'
import { describePolicy } from '../describe-policy.ts'
import { printable, showCount, showInstant, showShare, showSpan } from '../text.ts'
import type { PolicyOptions } from './policy-options.ts'
import type { ReplayTotals } from './replay.ts'

export interface Replayed {
  readonly log: string
  readonly options: PolicyOptions
  readonly policy: Policy
  readonly totals: ReplayTotals
}

/** For programs: one object on one line. Instants are epoch milliseconds; what is infinite is null. */
export function toJson(replayed: Replayed): string {
  const { options, policy, totals } = replayed
  const { worst, firstSkipped, ...numbers } = totals
  return JSON.stringify({
    log: replayed.log,
    policy: {
      algorithm: options.algorithm,
      limit: policy.limit,
      windowMs: policy.windowMs,
      ...(options.align === undefined ? {} : { align: options.align }),
      ...(options.strict === undefined ? {} : { strict: options.strict }),
    },
    ...numbers,
    ...(firstSkipped ? { firstSkipped } : {}),
    worst,
  })
}

/** For people, within 80 columns. */
export function toText(replayed: Replayed, bold: (text: string) => string): string {
  const { log, totals } = replayed
  const parts = [
    `${bold(log)}: ${showCount(totals.requests)} requests`,
    `${showInstant(totals.firstAtMs)} to ${showInstant(totals.lastAtMs)} UTC (${showSpan(totals.lastAtMs - totals.firstAtMs)})`,
    `policy: ${title(replayed)}`,
    '',
    totalsTable(totals),
    ...worstKeys(totals, bold),
    ...notes(totals),
  ]
  return `${parts.join('\n').replace(/ +$/gm, '')}\n`
}

function title({ options, policy }: Replayed): string {
  const extra = options.strict ? ', strict' : options.align === 'epoch' ? ', aligned to the epoch' : ''
  return `${options.algorithm}, ${describePolicy(policy)}${extra}`
}

function totalsTable(totals: ReplayTotals): string {
  const table = plainTable(['left', 'right', 'right'])
  const { requests, keys } = totals
  table.push(
    ['requests', showCount(requests), ''],
    ['admitted', showCount(totals.admitted), showShare(totals.admitted, requests)],
    ['denied', showCount(totals.denied), showShare(totals.denied, requests)],
    ['keys', showCount(keys), ''],
    ['keys denied', showCount(totals.deniedKeys), showShare(totals.deniedKeys, keys)],
    ['skipped lines', showCount(totals.skippedLines), ''],
  )
  if (totals.late > 0) table.push(['late', showCount(totals.late), showShare(totals.late, requests)])
  return table.toString()
}

const TERMINAL_WIDTH = 80
const GAP = '  '
const MIN_KEY_WIDTH = 16

function worstKeys(totals: ReplayTotals, bold: (text: string) => string): string[] {
  if (totals.worst.length === 0) return []
  const columns = [
    ['requests', ...totals.worst.map((key) => showCount(key.requests))],
    ['denied', ...totals.worst.map((key) => showCount(key.denied))],
    ['first denied', ...totals.worst.map((key) => showInstant(key.firstDeniedAtMs).slice(5, 16))],
    ['over', ...totals.worst.map((key) => showSpan(key.lastDeniedAtMs - key.firstDeniedAtMs, 1))],
  ]
  // The key gets what the rest leaves: an IPv6 address needs 39.
  const taken = columns.reduce(
    (width, cells) => width + GAP.length + Math.max(...cells.map((cell) => cell.length)),
    0,
  )
  const keyWidth = Math.max(MIN_KEY_WIDTH, TERMINAL_WIDTH - taken)
  const keys = ['the keys denied most', ...totals.worst.map(({ key }) => printable(key, keyWidth))]
  const table = plainTable(['left', 'right', 'right', 'right', 'right'])
  for (const [row, key] of keys.entries()) {
    const cells = [key, ...columns.map((column) => column[row] ?? '')]
    table.push(row === 0 ? cells.map(bold) : cells)
  }
  return ['', table.toString()]
}

function notes(totals: ReplayTotals): string[] {
  const { firstSkipped, late } = totals
  return [
    ...(firstSkipped
      ? ['', `First line skipped, ${showCount(firstSkipped.line)}: ${firstSkipped.text}`]
      : []),
    ...(late > 0
      ? [
          '',
          'Late lines lie further back than --horizon reaches; they were decided',
          'as if they had come when the replay met them.',
        ]
      : []),
  ]
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [side + end, '']),
  ),
)

/** Columns and no lines. No colours of its own either: it would write them into pipes, too. */
function plainTable(colAligns: ('left' | 'right')[]): Table.Table {
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
  return new Table({ colAligns, chars: { ...NO_LINES, middle: GAP }, style })
}
