import {
  type Check,
  Checker,
  type KeyOf,
  type NameOf,
  type Policies,
  type TakeOptions,
  unitsOf,
} from './check.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Admitted, Decision } from './decision.ts'
import { PolicyError, ReceiptError, StoreError, show } from './errors.ts'
import type { Events, Listener } from './events.ts'
import { decisionOf } from './outcome.ts'
import { checkFields, MAX_LIMIT, oneOf, type Policy, whole } from './policy.ts'
import { readReceipt } from './receipt.ts'
import { claimName } from './registry.ts'
import { HeldReservation, type Reservation, refundedUnits } from './reservation.ts'
import { MemoryStore } from './stores/memory/memory-store.ts'
import {
  askStore,
  type Entry,
  type Operation,
  type Outcome,
  type Store,
  type SyncStore,
} from './stores/store.ts'
import { Waiting, type WaitOptions } from './waiting.ts'

interface Common {
  /** What time it is; by default the store's clock, which by default is the wall clock, anchored once. */
  readonly clock?: Clock
  /** How many calls of `wait` may be in line at once, 1 to 1e6; default 10,000. */
  readonly maxWaiters?: number
  /** This name is used on this store by another limiter on purpose. Default false. */
  readonly shared?: boolean
}

/** A limiter on a store that it did not make needs a name: two limiters of equal numbers must not share a quota by accident. */
type Where<S extends Store> =
  | { readonly store?: undefined; readonly name?: string }
  | { readonly store: S; readonly name: string }

/** Options of {@link Limiter}: one `policy`, or several `policies` by name. */
export type LimiterOptions<P extends Policy | Policies, S extends Store = MemoryStore> = Common &
  Where<S> &
  (P extends Policy ? { readonly policy: P } : { readonly policies: P })

const OPTIONS = ['name', 'store', 'policy', 'policies', 'clock', 'maxWaiters', 'shared'] as const
const CALL = ['cost', 'policy'] as const
const EVENTS = ['saturated', 'degraded', 'recovered', 'warning'] as const

/**
 * The one place where policies, a store and a clock meet.
 *
 * ```ts
 * const limiter = new Limiter({ policy: slidingWindow({ limit: 100, window: '1m' }) })
 * const decision = await limiter.take('user:42')
 * ```
 *
 * A denial is a value and never thrown. What is thrown: a PolicyError for what can't be used (nothing is changed then), a StoreError when
 * the store could not decide.
 */
export class Limiter<const P extends Policy | Policies = Policy, S extends Store = MemoryStore> {
  readonly store: S
  readonly name: string
  readonly #checker: Checker
  readonly #clock: Clock
  readonly #waiting: Waiting
  readonly #releaseName: () => void
  readonly #ownsStore: boolean
  #closed = false

  /** @throws PolicyError for an unknown or bad option, and for a name that is taken on this store. */
  constructor(options: Common & Where<S> & { readonly policy: P & Policy })
  constructor(options: Common & Where<S> & { readonly policies: P & Policies })
  constructor(options: Common & Where<S> & { readonly policy?: P; readonly policies?: P }) {
    checkFields(options, 'Limiter', OPTIONS)
    this.#ownsStore = options.store === undefined
    this.name = nameOf(options.name, this.#ownsStore)
    this.#checker = new Checker(this.name, options)
    const maxWaiters = whole('ERR_HEADGATE_OPTION', 'maxWaiters', options.maxWaiters ?? 10_000, 1, 1e6)
    const shared = oneOf('shared', options.shared, [false, true], false)
    // Where no store is given, S is the default that this is.
    const store: Store =
      options.store === undefined
        ? new MemoryStore()
        : implementing<Store>('store', options.store, ['decide'])
    if (options.clock !== undefined) {
      store.adoptClock?.(implementing<Clock>('clock', options.clock, ['nowMs', 'sleepUntil']))
    }
    this.#releaseName = claimName(store, this.name, this.#checker.signature, shared)
    this.#clock = options.clock ?? store.clock ?? systemClock
    this.store = store as S
    this.#waiting = new Waiting(store, this.#clock, maxWaiters, (check) => this.#ask('take', check))
  }

  /** Charges `cost` units if every policy has room, and says so. */
  async take(key: KeyOf<P>, options?: TakeOptions<P>): Promise<Decision<NameOf<P>>> {
    return this.#decide('take', this.#check(key, options))
  }

  /** `take` without a promise, where the store answers at once. */
  takeSync(this: Limiter<P, S & SyncStore>, key: KeyOf<P>, options?: TakeOptions<P>): Decision<NameOf<P>> {
    const check = this.#check(key, options)
    const store = implementing<SyncStore>('store', this.store, ['decideSync'])
    return decisionOf(check, store.decideSync(...asked('take', check)))
  }

  /** What `take` would answer now; charges nothing. */
  async peek(key: KeyOf<P>, options?: TakeOptions<P>): Promise<Decision<NameOf<P>>> {
    return this.#decide('peek', this.#check(key, options))
  }

  /** A `take` whose charge can be given back: charge on arrival, refund what turns out to be free. */
  async reserve(key: KeyOf<P>, options?: TakeOptions<P>): Promise<Reservation<NameOf<P>>> {
    const check = this.#check(key, options)
    const outcome = await this.#ask('take', check)
    const charge = outcome.admitted ? { limiter: this.name, check, marks: outcome.readings } : undefined
    return new HeldReservation(this.store, decisionOf<NameOf<P>>(check, outcome), charge)
  }

  /**
   * Gives back what a receipt was charged, all by default. Once per receipt, by whichever process.
   *
   * @returns How many units came back; of several policies, the most of any.
   * @throws ReceiptError for a text that is no receipt of this limiter.
   */
  async refund(receipt: string, units?: number): Promise<number> {
    this.#checkOpen()
    const wanted = refundedUnits(units)
    const read = readReceipt(receipt)
    if (read.limiter !== this.name) {
      throw new ReceiptError(`the receipt is of another limiter, named ${show(read.limiter)}`)
    }
    const parts = this.#checker.parts(read)
    // A charge in a memory that is gone is gone with it.
    if (read.instance !== (this.store.instance ?? '') || wanted === 0) return 0
    const refund = { receipt: read.id, units: Math.min(wanted, read.units), parts }
    return askStore(() => this.store.refund(refund))
  }

  /**
   * Resolves when admitted, first come, first served for each key; keeps no timer after it settles.
   *
   * @throws WaitError when the turn never comes, can't come within `maxWaitMs`, or the line is full; the signal's reason when aborted.
   */
  async wait(key: KeyOf<P>, options?: WaitOptions<P>): Promise<Admitted<NameOf<P>>> {
    const check = this.#check(key, options, [...CALL, 'signal', 'maxWaitMs'])
    return this.#waiting.wait<NameOf<P>>(check, options ?? {})
  }

  /**
   * Takes units after the fact, room or not: use may go past the limit, into debt.
   *
   * @param units Whole units, 0 to 1e9.
   * @returns What a `peek` with cost 1 says right after.
   */
  async charge(
    key: KeyOf<P>,
    units: number,
    options?: Omit<TakeOptions<P>, 'cost'>,
  ): Promise<Decision<NameOf<P>>> {
    const cost = unitsOf('units', units, MAX_LIMIT)
    const check = { ...this.#check(key, options, ['policy']), cost }
    return decisionOf({ ...check, cost: 1 }, await this.#ask('charge', check))
  }

  /** Forgets what a key has used, under the declared policies or those of the call. */
  async reset(key: KeyOf<P>, options?: Omit<TakeOptions<P>, 'cost'>): Promise<void> {
    const check = this.#check(key, options, ['policy'])
    await askStore(() => this.store.reset(check.entries))
  }

  /**
   * Calls a listener on each event.
   *
   * @returns What undoes it.
   * @throws PolicyError `ERR_HEADGATE_OPTION` for an event that there is not.
   */
  on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    oneOf<keyof Events>('event', event, EVENTS, event)
    if (typeof listener !== 'function') {
      throw new PolicyError('ERR_HEADGATE_OPTION', 'listener', listener, 'must be a function')
    }
    return this.store.events?.on(event, listener) ?? (() => {})
  }

  /** Ends the limiter: waiters are rejected, later calls too; the store is closed if the limiter made it. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#releaseName()
    this.#waiting.close(closedError())
    if (this.#ownsStore) await this.store.close()
  }

  #check(key: unknown, options: unknown, known: readonly string[] = CALL): Check {
    this.#checkOpen()
    return this.#checker.check(key, options, known)
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError()
  }

  async #decide(operation: Operation, check: Check): Promise<Decision<NameOf<P>>> {
    return decisionOf(check, await this.#ask(operation, check))
  }

  #ask(operation: Operation, check: Check): Promise<Outcome> {
    return askStore(() => this.store.decide(...asked(operation, check)))
  }
}

/** A cost of 0 is a question: what a peek with cost 1 would say. */
function asked(operation: Operation, { entries, cost }: Check): [Operation, readonly Entry[], number] {
  return cost === 0 ? ['peek', entries, 1] : [operation, entries, cost]
}

function nameOf(name: unknown, ownsStore: boolean): string {
  if (name === undefined && ownsStore) return ''
  if (typeof name === 'string' && name) return name
  throw new PolicyError(
    'ERR_HEADGATE_NAME',
    'name',
    name,
    'must be a text that is not empty, for a limiter on a store it did not make',
  )
}

/** What has the methods that are needed of it. */
function implementing<T>(field: string, value: unknown, methods: readonly (keyof T & string)[]): T {
  const has = (method: string): boolean =>
    typeof (value as Record<string, unknown> | null)?.[method] === 'function'
  if (methods.every(has)) return value as T
  throw new PolicyError('ERR_HEADGATE_OPTION', field, value, `must have ${methods.join('() and ')}()`)
}

function closedError(): StoreError {
  return new StoreError('ERR_HEADGATE_CLOSED', 'this limiter is closed; make a new one')
}
