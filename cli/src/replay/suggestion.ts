import { LIMIT_FIELD } from '../config/declared-policy.ts'
import { showCount, showShare } from '../text.ts'
import type { Replayed, ReplayResult } from './replay.ts'
import type { Tolerance } from './suggest.ts'

/** The limit that was sought, and what the ones beside it come to. */
export function suggestion(
  { share, of }: Tolerance,
  hasLimit: boolean,
  { policies, traffic }: ReplayResult,
  bold: (text: string) => string,
): string[] {
  const [found, ...others] = policies
  if (!found) return []
  const given = hasLimit ? others.pop() : undefined
  const [below] = others
  const { algorithm } = found.declared.entry ?? {}
  const field = (algorithm && LIMIT_FIELD[algorithm]) ?? 'limit'
  const told = ({ declared, denied, deniedKeys }: Replayed): string => {
    const [part, whole] = of === 'keys' ? [deniedKeys, traffic.keys] : [denied, traffic.requests]
    return `a ${field} of ${showCount(declared.policy.limit)} denies ${showCount(part)} of ${showCount(whole)} ${of}, ${showShare(part, whole)}`
  }
  const isNews =
    given && ![found, below].some((other) => other?.declared.policy.limit === given.declared.policy.limit)
  return [
    `${bold(`--${field} ${found.declared.policy.limit}`)} is the least that denies at most ${showShare(share, 1)} of the ${of}:`,
    `  ${told(found)}`,
    ...(below ? [`  ${told(below)}`] : []),
    ...(isNews ? [`  ${told(given)}, as given`] : []),
  ]
}
