import type { Verdict } from './cell.ts'
import { reported } from './instant.ts'

/** The numbers of one policy, as the API reports them. */
export interface ExpectedNumbers {
  readonly limit: number
  readonly remaining: number
  readonly resetAtMs: number
}

/** Every field of a decision; on an admission there is no reason and no retry. */
export interface ExpectedDecision extends ExpectedNumbers {
  readonly allowed: boolean
  readonly policy: string
  readonly decidedAtMs: number
  readonly source: 'store'
  readonly each: { readonly [policy: string]: ExpectedNumbers }
  readonly reason?: 'limit' | 'never'
  readonly retryAtMs?: number
  readonly retryAfterMs?: number
}

interface Line extends ExpectedNumbers {
  readonly policy: string
  readonly verdict: Verdict
  readonly retryAtMs: number
}

/** Which of two lines binds, the earlier declared one first: the larger by `measure`, else the later reset, else the first. */
function binding(lines: readonly Line[], measure: (line: Line) => number): Line {
  const [first, ...others] = lines
  if (!first) throw new Error('a check needs at least one policy')
  return others.reduce((best, line) => {
    const by = measure(line) - measure(best)
    if (measure(line) !== measure(best)) return by > 0 ? line : best
    return line.resetAtMs > best.resetAtMs ? line : best
  }, first)
}

/** Many verdicts made one: all or nothing, the longest wait, the policy that binds. */
export function answerOf(
  verdicts: ReadonlyMap<string, Verdict>,
  shown: ReadonlyMap<string, Verdict>,
  clockMicros: bigint,
): ExpectedDecision {
  const lines = [...verdicts].map(([policy, verdict]): Line => {
    const after = shown.get(policy) ?? verdict
    return {
      policy,
      verdict,
      limit: Number(after.limit),
      remaining: Number(after.remaining),
      resetAtMs: after.held ? reported(after.reset) : reported(clockMicros),
      retryAtMs: reported(verdict.retry),
    }
  })
  const denying = lines.filter(({ verdict }) => !verdict.admitted)
  const never = denying.some(({ verdict }) => verdict.never)
  const binds =
    denying.length > 0
      ? binding(denying, (line) => line.retryAtMs)
      : binding(lines, (line) => -line.remaining)
  const numbers = ({ limit, remaining, resetAtMs }: Line): ExpectedNumbers => ({
    limit,
    remaining,
    resetAtMs,
  })
  const common = {
    allowed: denying.length === 0,
    policy: binds.policy,
    ...numbers(binds),
    decidedAtMs: reported(clockMicros),
    source: 'store' as const,
    each: Object.fromEntries(lines.map((line) => [line.policy, numbers(line)])),
  }
  if (common.allowed) return common
  const retry = never ? undefined : binds.verdict.retry
  return {
    ...common,
    reason: never ? 'never' : 'limit',
    retryAtMs: reported(retry),
    retryAfterMs: retry === undefined ? Number.POSITIVE_INFINITY : reported(retry - clockMicros),
  }
}
