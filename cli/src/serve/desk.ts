import { type Clock, MemoryStore, StoreError } from 'headgate'
import type { Config } from '../config/config.ts'
import { printable } from '../text.ts'
import { ProblemError, type ProblemKind } from './problems.ts'
import type { Check, DecisionBody, RefundBody, RefundedBody } from './schemas.ts'
import { listed, type Question, RECEIPT_MARK, Section } from './section.ts'

export interface DeskOptions {
  readonly config: Config
  /** The most keys held at once. */
  readonly maxKeys: number
  /** By default the wall clock. */
  readonly clock?: Clock | undefined
  /** Called at most once a second while the store is full. */
  readonly onSaturated?: (maxKeys: number) => void
}

/** Where requests meet limiters: one for each name, all on one store. A policy is a limiter that has but that one. */
export class Desk {
  readonly config: Config
  readonly maxKeys: number
  readonly #store: MemoryStore
  readonly #policies = new Map<string, Section>()
  readonly #limiters = new Map<string, Section>()

  constructor({ config, maxKeys, clock, onSaturated }: DeskOptions) {
    this.config = config
    this.maxKeys = maxKeys
    this.#store = new MemoryStore(clock ? { maxKeys, clock } : { maxKeys })
    for (const [name, one] of config.policies) {
      this.#policies.set(name, new Section(name, new Map([[name, one]]), this.#store))
    }
    for (const [name, own] of config.limiters) this.#limiters.set(name, new Section(name, own, this.#store))
    // The store's own event: every limiter on it passes it on, so one is enough to hear it once.
    const [first] = this.#sections()
    if (onSaturated) first?.limiter.on('saturated', () => onSaturated(maxKeys))
  }

  /** How many keys are held now. */
  get keys(): number {
    return this.#store.size
  }

  async take(check: Check): Promise<DecisionBody> {
    const { section, question } = this.#asked(check)
    return section.take(question)
  }

  async peek(check: Check): Promise<DecisionBody> {
    const { section, question } = this.#asked(check)
    return section.peek(question)
  }

  async refund({ receipt, units }: RefundBody): Promise<RefundedBody> {
    const mark = receipt.indexOf(RECEIPT_MARK)
    const name = receipt.slice(0, Math.max(mark, 0))
    const section = this.#policies.get(name) ?? this.#limiters.get(name)
    if (!section) throw unknownReceipt()
    try {
      return { refunded: await section.limiter.refund(receipt.slice(mark + 1), units) }
    } catch (error) {
      throw error instanceof StoreError && error.code === 'ERR_HEADGATE_SATURATED' ? tooManySpent() : error
    }
  }

  async close(): Promise<void> {
    for (const { limiter } of this.#sections()) await limiter.close()
    await this.#store.close()
  }

  #sections(): Section[] {
    return [...this.#policies.values(), ...this.#limiters.values()]
  }

  #asked(check: Check): { section: Section; question: Question } {
    const { cost = 1 } = check
    if ('policy' in check) {
      const { policy, key, limit } = check
      const section = find('policy', policy, this.#policies)
      const limits =
        limit === undefined ? undefined : { [policy]: section.withLimit(policy, limit, '/limit') }
      return { section, question: { keys: { [policy]: key }, cost, limits } }
    }
    const section = find('limiter', check.limiter, this.#limiters)
    const limits = check.limits && section.limitsOf(check.limits)
    return { section, question: { keys: section.keysOf(check.keys), cost, limits } }
  }
}

function find(noun: 'policy' | 'limiter', name: string, sections: ReadonlyMap<string, Section>): Section {
  const section = sections.get(name)
  if (section) return section
  const kind: ProblemKind = `unknown-${noun}`
  const detail = `There is no ${noun} ${JSON.stringify(printable(name, 64))}; there is ${listed(sections.keys())}.`
  throw new ProblemError(kind, detail, `/${noun}`)
}

/** The same sentence for every text that is no receipt: what it resembles is nobody's business. */
export function unknownReceipt(): ProblemError {
  return new ProblemError(
    'invalid-receipt',
    'The receipt is not one that this service gave out: send the text of "receipt" from an answer of /v1/take unchanged.',
    '/receipt',
  )
}

function tooManySpent(): ProblemError {
  return new ProblemError(
    'store-saturated',
    'As many redeemed receipts are remembered as it may hold, so that this one could not be told from one redeemed before: it can be redeemed once some of those are void.',
  )
}
