import type { Policy } from 'headgate'
import type { DeclaredPolicy } from '../config/declared-policy.ts'
import { Failure } from '../failure.ts'
import { showCount } from '../text.ts'
import type { KeyIndex } from './key-index.ts'
import { Playback } from './playback.ts'
import type { Progress } from './progress.ts'
import type { Spool } from './spool.ts'
import { Denials } from './verdicts.ts'

/** How many may be denied, and of what. */
export interface Tolerance {
  readonly share: number
  readonly of: 'requests' | 'keys'
}

/** Whether so many denials are within a tolerance. */
export type Within = (denials: Denials) => boolean

const MAX_LIMIT = 1e9
/** What a sliding log may have at most. */
const MAX_LOG_LIMIT = 1e6

/**
 * Finds the smallest limit that a log's denials stay within a tolerance of.
 *
 * A higher limit never denies more requests that cost something, nor more keys: after any prefix of the log, each algorithm has admitted at
 * least as many of them as with a limit of one less (`docs/internals/replay.md` has the proof). So those can be bisected. A free request
 * takes nothing but needs room, and room at one instant may be less with a higher limit: with `--free` the answer of the bisection is
 * where the search begins, and each limit from there on is tried.
 */
export class LimitSearch {
  readonly #spool: Spool
  readonly #keys: KeyIndex
  readonly #declared: DeclaredPolicy
  readonly #progress: Progress

  constructor(spool: Spool, keys: KeyIndex, declared: DeclaredPolicy, progress: Progress) {
    this.#spool = spool
    this.#keys = keys
    this.#declared = declared
    this.#progress = progress
  }

  async smallest({ share, of }: Tolerance): Promise<number> {
    const total = of === 'keys' ? this.#keys.size : this.#spool.size
    const within = (denied: number): boolean => denied / total <= share
    const charged: Within = of === 'keys' ? ({ keys }) => within(keys) : (denials) => within(denials.charged)
    const all: Within = of === 'keys' ? charged : (denials) => within(denials.charged + denials.free)
    let limit = await this.#bisect(charged)
    while (!(await this.#holds(limit, all))) limit = this.#above(limit)
    return limit
  }

  /** The smallest limit that holds, of a rule that a higher limit never breaks. */
  async #bisect(rule: Within): Promise<number> {
    if (await this.#holds(0, rule)) return 0
    let fails = 0
    let holds = 1
    while (!(await this.#holds(holds, rule))) {
      fails = holds
      holds = Math.max(this.#above(fails), Math.min(2 * fails, this.#most))
    }
    while (holds - fails > 1) {
      const middle = Math.floor((fails + holds) / 2)
      if (await this.#holds(middle, rule)) holds = middle
      else fails = middle
    }
    return holds
  }

  /** Denials only ever add up, so a limit that breaks the rule half way has broken it. */
  async #holds(limit: number, rule: Within): Promise<boolean> {
    const denials = new Denials(this.#keys.size)
    const playback = new Playback(this.#keys, [{ policy: this.#policy(limit), verdicts: denials }])
    for await (const batch of this.#spool.batches()) {
      await playback.play(batch)
      this.#progress.say(() => `trying a limit of ${showCount(limit)}`)
      if (!rule(denials)) return false
    }
    return true
  }

  get #most(): number {
    return this.#declared.policy.algorithm === 'sliding-log' ? MAX_LOG_LIMIT : MAX_LIMIT
  }

  #above(limit: number): number {
    if (limit < this.#most) return limit + 1
    throw new Failure(`no limit up to ${showCount(this.#most)} denies so few.`)
  }

  #policy(limit: number): Policy {
    return this.#declared.withLimit(limit)
  }
}
