import type { Clock } from '../clock.ts'
import type { Entry } from '../entry.ts'
import type { Emitter } from '../events.ts'
import type { Operation, Outcome, Refund, Store } from '../stores/store.ts'

/** A store that fails on command: what a limiter does in an outage can be tried with it. */
export class FaultyStore implements Store {
  readonly kind: string
  readonly #inner: Store
  #fault: Error | 'hang' | undefined

  constructor(inner: Store) {
    this.#inner = inner
    this.kind = `faulty ${inner.kind}`
  }

  /** From now on every call rejects with this error, or never settles (`'hang'`); undefined: it works again. */
  fail(with_: Error | 'hang' | undefined): void {
    this.#fault = with_
  }

  get instance(): string {
    return this.#inner.instance ?? ''
  }

  get events(): Emitter | undefined {
    return this.#inner.events
  }

  get clock(): Clock | undefined {
    return this.#inner.clock
  }

  adoptClock(clock: Clock): void {
    this.#inner.adoptClock?.(clock)
  }

  decide(operation: Operation, entries: readonly Entry[], units: number): Promise<Outcome> {
    return this.#pass(() => this.#inner.decide(operation, entries, units))
  }

  refund(refund: Refund): Promise<number> {
    return this.#pass(() => this.#inner.refund(refund))
  }

  reset(entries: readonly Entry[]): Promise<void> {
    return this.#pass(() => this.#inner.reset(entries))
  }

  /** Closing always works. */
  close(): Promise<void> {
    return this.#inner.close()
  }

  #pass<T>(call: () => Promise<T>): Promise<T> {
    if (this.#fault === 'hang') return new Promise(() => {})
    return this.#fault ? Promise.reject(this.#fault) : call()
  }
}
