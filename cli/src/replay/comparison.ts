import { showCount, showDuration, showShare } from '../text.ts'
import { burstAt } from './compare.ts'
import { picture } from './picture.ts'
import { plainTable } from './plain-table.ts'
import type { Plan } from './plan.ts'
import { type Rate, rateOf } from './rate.ts'
import type { Replayed, ReplayResult } from './replay.ts'

/** All five algorithms in a table and a picture, and where their numbers are from. */
export function comparison(plan: Plan, result: ReplayResult, bold: (text: string) => string): string[] {
  const { traffic, read, windowMs, policies } = result
  const names = policies.map(({ declared }) => declared.entry?.algorithm ?? '')
  const head = ['', 'denied', '', 'keys denied', '', `most in ${showDuration(windowMs)}`].map(bold)
  const rows = policies.map((replayed, i) => row(names[i] ?? '', replayed, result))
  return [
    '',
    plainTable(['left', 'right', 'right', 'right', 'right', 'right'], [head, ...rows]),
    '',
    `${showCount(traffic.keys)} keys; the most that one asked for in any ${showDuration(windowMs)}: ${showCount(traffic.askedPeak?.requests ?? 0)}.`,
    ...(read.skippedLines > 0 ? [`${showCount(read.skippedLines)} lines skipped.`] : []),
    ...(read.late > 0 ? [`${showCount(read.late)} requests late.`] : []),
    '',
    ...derivation(plan, rateOf(plan.entry)),
    '',
    ...picture(result.columns, names),
  ]
}

function row(name: string, { denied, deniedKeys, peak }: Replayed, { traffic }: ReplayResult): string[] {
  return [
    name,
    showCount(denied),
    showShare(denied, traffic.requests),
    showCount(deniedKeys),
    showShare(deniedKeys, traffic.keys),
    peak ? showCount(peak.requests) : '–',
  ]
}

function derivation({ entry }: Plan, rate: Rate): string[] {
  const units = showCount(rate.units)
  return [
    `All at ${units} per ${rate.per} in the long run, ${entry.algorithm} as it was given. The others:`,
    `windows with a limit of ${units} per ${rate.per}, a bucket that holds ${units},`,
    `and gcra with bursts of ${showCount(burstAt(rate))}, a tenth of that.`,
  ]
}
