import type { Policy } from 'headgate'
import type { DeclaredPolicy } from '../config/declared-policy.ts'
import type { Io } from '../io.ts'
import { fiveLike } from './compare.ts'
import type { KeyIndex } from './key-index.ts'
import { LogPass } from './log-pass.ts'
import { LogSource } from './log-source.ts'
import type { Plan } from './plan.ts'
import { type Lane, Playback } from './playback.ts'
import { Progress } from './progress.ts'
import { rateOf } from './rate.ts'
import { Spool } from './spool.ts'
import { LimitSearch, type Tolerance } from './suggest.ts'
import type { Columns } from './timeline.ts'
import { type ReadTotals, Traffic, type TrafficTotals } from './traffic.ts'
import { Denials, FullVerdicts, type VerdictTotals } from './verdicts.ts'

/** A policy, and what it did. */
export interface Replayed extends VerdictTotals {
  readonly declared: DeclaredPolicy
}

export interface ReplayResult {
  readonly traffic: TrafficTotals
  readonly read: ReadTotals
  /** The length of the stretches that peaks were sought in. */
  readonly windowMs: number
  /** One policy, unless several were to be compared; where a limit was sought, the policy with the one found. */
  readonly policies: readonly Replayed[]
  readonly columns: Columns
  /** Where a limit was sought: what one less does, unless that is below 0, and the one that was given, if any. */
  readonly below?: Judged
  readonly given?: Judged
}

/** A limit, and how many it denied. */
export interface Judged {
  readonly limit: number
  readonly denied: number
  readonly deniedKeys: number
}

const PICTURE_COLUMNS = 60

/** Puts a log through the policies of a plan. */
export async function replay(io: Io, path: string, plan: Plan): Promise<ReplayResult> {
  const source = await LogSource.open(path, io.stdin)
  const progress = new Progress(io.stderr, source.bytes)
  try {
    return await (plan.tolerance
      ? search(source, plan, plan.tolerance, progress)
      : once(source, plan, progress))
  } finally {
    progress.clear()
  }
}

/** All policies go side by side through one reading. */
async function once(source: LogSource, plan: Plan, progress: Progress): Promise<ReplayResult> {
  const pass = new LogPass(plan)
  const hearing = new Hearing(
    pass.keys,
    plan.compares ? fiveLike(plan.entry) : [plan.declared],
    windowOf(plan),
  )
  const read = await pass.read(source, (batch) => hearing.playback.play(batch), progress)
  return hearing.result(read)
}

/** The log is read once, and kept as the requests it came to while limits are tried. */
async function search(
  source: LogSource,
  plan: Plan,
  tolerance: Tolerance,
  progress: Progress,
): Promise<ReplayResult> {
  const { declared, hasLimit } = plan
  const pass = new LogPass(plan)
  const spool = await Spool.create()
  try {
    const read = await pass.read(source, (batch) => spool.write(batch), progress)
    const limit = await new LimitSearch(spool, pass.keys, declared, progress).smallest(tolerance)
    const found = { ...declared, policy: declared.withLimit(limit) }
    const below = limit > 0 ? new Beside(declared.withLimit(limit - 1), pass.keys) : undefined
    const given = hasLimit ? new Beside(declared.policy, pass.keys) : undefined
    const beside = [below, given].filter((lane) => lane !== undefined)
    const hearing = new Hearing(pass.keys, [found], windowOf(plan), beside)
    for await (const batch of spool.batches()) await hearing.playback.play(batch)
    return {
      ...hearing.result(read),
      ...(below && { below: below.judged() }),
      ...(given && { given: given.judged() }),
    }
  } finally {
    await spool.close()
  }
}

function windowOf({ entry }: Plan): number {
  return rateOf(entry).perMs
}

/** A limit beside the one that was found: its denials are counted, and that is all. */
class Beside implements Lane {
  readonly policy: Policy
  readonly verdicts: Denials

  constructor(policy: Policy, keys: KeyIndex) {
    this.policy = policy
    this.verdicts = new Denials(keys.size)
  }

  judged(): Judged {
    const { charged, free, keys } = this.verdicts
    return { limit: this.policy.limit, denied: charged + free, deniedKeys: keys }
  }
}

/** What is heard of the policies while a log goes by. */
class Hearing {
  readonly playback: Playback
  readonly #keys: KeyIndex
  readonly #traffic: Traffic
  readonly #windowMs: number
  readonly #policies: readonly { readonly declared: DeclaredPolicy; readonly verdicts: FullVerdicts }[]

  constructor(
    keys: KeyIndex,
    policies: readonly DeclaredPolicy[],
    windowMs: number,
    beside: readonly Lane[] = [],
  ) {
    const traffic = new Traffic(policies.length, windowMs)
    this.#policies = policies.map((declared, i) => ({
      declared,
      verdicts: new FullVerdicts(windowMs, (timeMs) => traffic.denied(timeMs, i)),
    }))
    const lanes = this.#policies.map(({ declared: { policy }, verdicts }) => ({ policy, verdicts }))
    this.playback = new Playback(keys, [...lanes, ...beside], traffic)
    this.#keys = keys
    this.#traffic = traffic
    this.#windowMs = windowMs
  }

  result(read: ReadTotals): ReplayResult {
    return {
      traffic: this.#traffic.totals(this.#keys),
      read,
      windowMs: this.#windowMs,
      policies: this.#policies.map(({ declared, verdicts }) => ({
        declared,
        ...verdicts.totals(this.#keys),
      })),
      columns: this.#traffic.columns(PICTURE_COLUMNS),
    }
  }
}
