import { LIMIT_FIELD } from '../config/declared-policy.ts'
import { showCount, showShare } from '../text.ts'
import type { Judged, ReplayResult } from './replay.ts'
import type { Tolerance } from './suggest.ts'

/** The limit that was sought, and what the ones beside it come to. */
export function suggestion(
  { share, of }: Tolerance,
  { policies, traffic, below, given }: ReplayResult,
  bold: (text: string) => string,
): string[] {
  const [found] = policies
  if (!found) return []
  const { entry, policy } = found.declared
  const field = (entry && LIMIT_FIELD[entry.algorithm]) ?? 'limit'
  const told = ({ limit, denied, deniedKeys }: Judged): string => {
    const [part, whole] = of === 'keys' ? [deniedKeys, traffic.keys] : [denied, traffic.requests]
    return `  a ${field} of ${showCount(limit)} denies ${showCount(part)} of ${showCount(whole)} ${of}, ${showShare(part, whole)}`
  }
  const isNews = given && given.limit !== policy.limit && given.limit !== below?.limit
  return [
    `${bold(`--${field} ${policy.limit}`)} is the least that denies at most ${showShare(share, 1)} of the ${of}:`,
    told({ ...found, limit: policy.limit }),
    ...(below ? [told(below)] : []),
    ...(isNews ? [`${told(given)}, as given`] : []),
  ]
}
