import type { PolicyEntry } from '../config/policy-schema.ts'
import { printable, showCount, showDuration, showInstant, showShare, showSpan } from '../text.ts'
import { comparison } from './comparison.ts'
import { picture } from './picture.ts'
import { GAP, plainTable } from './plain-table.ts'
import type { Plan } from './plan.ts'
import { rateOf } from './rate.ts'
import type { Replayed, ReplayResult } from './replay.ts'
import type { Peak } from './rolling-peak.ts'
import { suggestion } from './suggestion.ts'

type Bold = (text: string) => string

/** For people, within 80 columns. */
export function toText(log: string, plan: Plan, result: ReplayResult, bold: Bold): string {
  const { traffic } = result
  const parts = [
    `${bold(log)}: ${showCount(traffic.requests)} requests`,
    `${showInstant(traffic.firstAtMs)} to ${showInstant(traffic.lastAtMs)} UTC (${showSpan(traffic.lastAtMs - traffic.firstAtMs)})`,
    ...(plan.key.name === 'ip' ? [] : [`key: ${printable(plan.key.name, 70)}`]),
    ...(plan.compares ? comparison(plan, result, bold) : onePolicy(plan, result, bold)),
    ...notes(result),
  ]
  return `${parts.join('\n').replace(/ +$/gm, '')}\n`
}

function onePolicy(plan: Plan, result: ReplayResult, bold: Bold): string[] {
  const [replayed] = result.policies
  if (!replayed) return []
  return [
    `policy: ${title(plan, replayed)}`,
    ...(plan.tolerance ? ['', ...suggestion(plan.tolerance, result, bold)] : []),
    '',
    totalsTable(plan, result, replayed),
    '',
    ...peaks(result, replayed),
    '',
    ...picture(result.columns, ['denied']),
    ...worstKeys(replayed, bold),
  ]
}

function title({ entry, policyName }: Plan, { declared: { policy } }: Replayed): string {
  const name = policyName === undefined ? '' : `${policyName}, `
  return `${name}${entry.algorithm}, ${describeNumbers(entry, policy.limit)}`
}

/** With the limit that was replayed, which need not be the one that was given. */
function describeNumbers(entry: PolicyEntry, limit: number): string {
  const { units, per } = rateOf(entry)
  const rate = `${showCount(units)} per ${per}`
  switch (entry.algorithm) {
    case 'fixed-window':
      return `${showCount(limit)} per ${per}${entry.align === 'epoch' ? ', aligned to the epoch' : ''}`
    case 'sliding-window':
      return `${showCount(limit)} per ${per}${entry.strict ? ', strict' : ''}`
    case 'sliding-log':
      return `${showCount(limit)} per ${per}`
    case 'token-bucket':
      return `a capacity of ${showCount(limit)}, refilled at ${rate}`
    case 'gcra':
      return `bursts of ${showCount(limit)}, then ${rate}`
    case 'leaky-bucket':
      return `${rate}, no bursts`
  }
}

function totalsTable(plan: Plan, { traffic, read }: ReplayResult, replayed: Replayed): string {
  const { requests, keys } = traffic
  const { admitted, givenBack, denied, deniedKeys } = replayed
  return plainTable(
    ['left', 'right', 'right'],
    [
      ['requests', showCount(requests), ''],
      ['admitted', showCount(admitted), showShare(admitted, requests)],
      ...(plan.free.size > 0
        ? [['  of them free', showCount(givenBack), showShare(givenBack, requests)]]
        : []),
      ['denied', showCount(denied), showShare(denied, requests)],
      ['keys', showCount(keys), ''],
      ['keys denied', showCount(deniedKeys), showShare(deniedKeys, keys)],
      ['skipped lines', showCount(read.skippedLines), ''],
      ...(read.late > 0 ? [['late', showCount(read.late), showShare(read.late, requests)]] : []),
    ],
  )
}

/** The highest rolling rates: what the hungriest key asked for, and what the policy let any key have. */
function peaks({ windowMs, traffic }: ReplayResult, { peak }: Replayed): string[] {
  const rows = [
    ['asked for', traffic.askedPeak],
    ['admitted', peak],
  ] as const
  return [
    `the most of one key in any ${showDuration(windowMs)}:`,
    plainTable(
      ['left', 'right', 'left', 'left'],
      rows.map(([label, found]) => peakRow(label, found)),
    ),
  ]
}

/** An IPv6 address. */
const PEAK_KEY_WIDTH = 39

function peakRow(label: string, peak: Peak | undefined): string[] {
  if (!peak) return [label, '–', '', '']
  const until = `until ${showInstant(peak.atMs).slice(5)}`
  return [label, showCount(peak.requests), printable(peak.key, PEAK_KEY_WIDTH), until]
}

const TERMINAL_WIDTH = 80
const MIN_KEY_WIDTH = 16

function worstKeys({ worst }: Replayed, bold: Bold): string[] {
  if (worst.length === 0) return []
  const columns = [
    ['requests', ...worst.map((key) => showCount(key.requests))],
    ['denied', ...worst.map((key) => showCount(key.denied))],
    ['first denied', ...worst.map((key) => showInstant(key.firstDeniedAtMs).slice(5, 16))],
    ['over', ...worst.map((key) => showSpan(key.lastDeniedAtMs - key.firstDeniedAtMs, 1))],
  ]
  // The key gets what the rest leaves: an IPv6 address needs 39.
  const taken = columns.reduce(
    (width, cells) => width + GAP.length + Math.max(...cells.map((cell) => cell.length)),
    0,
  )
  const keyWidth = Math.max(MIN_KEY_WIDTH, TERMINAL_WIDTH - taken)
  const keys = ['the keys denied most', ...worst.map(({ key }) => printable(key, keyWidth))]
  const rows = keys.map((key, row) => {
    const cells = [key, ...columns.map((column) => column[row] ?? '')]
    return row === 0 ? cells.map(bold) : cells
  })
  return ['', plainTable(['left', 'right', 'right', 'right', 'right'], rows)]
}

function notes({ read: { firstSkipped, late } }: ReplayResult): string[] {
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
