import { type Clock, Limiter, MemoryStore, type Policies } from 'headgate'
import { printable } from '../text.ts'
import { decisionJson } from './decision-json.ts'
import { ProblemError } from './problems.ts'
import type { CheckBody, DecisionBody, RefundBody, RefundedBody } from './schemas.ts'

export interface DeskOptions {
  readonly policies: Policies
  /** The most keys held at once. */
  readonly maxKeys: number
  /** By default the wall clock. */
  readonly clock?: Clock | undefined
  /** Called at most once a second while the store is full. */
  readonly onSaturated?: (maxKeys: number) => void
}

/** Stands between a policy's name and the receipt that its limiter gave out. A name holds no colon. */
const RECEIPT_MARK = ':'
const SHOWN_NAMES = 10

/** Where requests meet limiters: one for each policy by name, all on one store. */
export class Desk {
  readonly policies: Policies
  readonly maxKeys: number
  readonly #store: MemoryStore
  readonly #limiters = new Map<string, Limiter<Policies>>()

  constructor({ policies, maxKeys, clock, onSaturated }: DeskOptions) {
    this.policies = policies
    this.maxKeys = maxKeys
    this.#store = new MemoryStore(clock ? { maxKeys, clock } : { maxKeys })
    for (const [name, policy] of Object.entries(policies)) {
      this.#limiters.set(
        name,
        new Limiter<Policies>({ name, store: this.#store, policies: { [name]: policy } }),
      )
    }
    // The store's own event: every limiter on it passes it on, so one is enough to hear it once.
    const [first] = this.#limiters.values()
    if (onSaturated) first?.on('saturated', () => onSaturated(maxKeys))
  }

  /** How many keys are held now. */
  get keys(): number {
    return this.#store.size
  }

  async take({ policy, key, cost = 1 }: CheckBody): Promise<DecisionBody> {
    const { decision, receipt } = await this.#limiter(policy).reserve({ [policy]: key }, { cost })
    return decisionJson(decision, receipt === undefined ? undefined : `${policy}${RECEIPT_MARK}${receipt}`)
  }

  async peek({ policy, key, cost = 1 }: CheckBody): Promise<DecisionBody> {
    return decisionJson(await this.#limiter(policy).peek({ [policy]: key }, { cost }))
  }

  async refund({ receipt, units }: RefundBody): Promise<RefundedBody> {
    const mark = receipt.indexOf(RECEIPT_MARK)
    const limiter = this.#limiters.get(receipt.slice(0, Math.max(mark, 0)))
    if (!limiter) throw unknownReceipt()
    return { refunded: await limiter.refund(receipt.slice(mark + 1), units) }
  }

  async close(): Promise<void> {
    for (const limiter of this.#limiters.values()) await limiter.close()
    await this.#store.close()
  }

  #limiter(policy: string): Limiter<Policies> {
    const limiter = this.#limiters.get(policy)
    if (limiter) return limiter
    const names = [...this.#limiters.keys()]
    const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : ''
    const known = `${names.slice(0, SHOWN_NAMES).join(', ')}${more}`
    throw new ProblemError(
      'unknown-policy',
      `There is no policy ${JSON.stringify(printable(policy, 64))}; there is ${known}.`,
      '/policy',
    )
  }
}

/** The same sentence for every text that is no receipt: what it resembles is nobody's business. */
export function unknownReceipt(): ProblemError {
  return new ProblemError(
    'invalid-receipt',
    'The receipt is not one that this service gave out: send the text of "receipt" from an answer of /v1/take unchanged.',
    '/receipt',
  )
}
