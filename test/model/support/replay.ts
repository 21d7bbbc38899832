import type { Decision } from 'headgate'
import { reported } from '../oracle/index.ts'
import type { Event } from './play.ts'
import type { Subject } from './subject.ts'

/** Makes the calls of a trace again, word for word, on another subject. */
export class Replay {
  readonly #subject: Subject
  readonly #receipts = new Map<string, string>()

  constructor(subject: Subject) {
    this.#subject = subject
  }

  /** The answer that the event has on this subject. */
  async again(event: Event): Promise<Decision | number | undefined> {
    await this.#subject.setMs(reported(event.nowMicros))
    const { keys, policies } = event
    switch (event.kind) {
      case 'reset':
        return void (await this.#subject.reset(keys, { policies }))
      case 'refund': {
        const receipt = this.#receipts.get(event.receipt)
        return receipt === undefined ? 0 : this.#subject.refund(receipt, event.units)
      }
      case 'charge':
        return this.#subject.charge(keys, event.units, { policies })
      case 'peek':
        return this.#subject.peek(keys, { cost: event.cost, policies })
      case 'take': {
        if (event.receipt === undefined) return this.#subject.take(keys, { cost: event.cost, policies })
        const { decision, receipt } = await this.#subject.reserve(keys, { cost: event.cost, policies })
        if (receipt !== undefined) this.#receipts.set(event.receipt, receipt)
        return decision
      }
    }
  }
}

/** What the event was answered the first time. */
export function answerOf(event: Event): Decision | number | undefined {
  if (event.kind === 'reset') return undefined
  return event.kind === 'refund' ? event.returned : event.decision
}
