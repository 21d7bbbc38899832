import {
  type CallSchema,
  type Check,
  Checker,
  type KeyOf,
  type NameOf,
  POLICY_ONLY,
  type Policies,
  TAKE,
  type TakeOptions,
  unitsUpTo,
} from './check.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Admitted, Decision } from './decision.ts'
import { PolicyError, ReceiptError, StoreError, show } from './errors.ts'
import type { Events, Listener } from './events.ts'
import { anything, having, oneOf, readOptions, whole } from './options.ts'
import { decisionOf } from './outcome.ts'
import { MAX_LIMIT, type Policy } from './policy.ts'
import { readReceipt } from './receipt.ts'
import { claimName } from './registry.ts'
import { hold, type Reservation, refundedUnits } from './reservation.ts'
import { MemoryStore } from './stores/memory/memory-store.ts'
import { askStore, type Operation, type Outcome, type Store, type SyncStore } from './stores/store.ts'
import { WAIT, Waiting, type WaitOptions } from './waiting.ts'

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

const OPTIONS = {
  name: anything,
  store: /* @__PURE__ */ having<Store>('decide'),
  policy: anything,
  policies: anything,
  clock: /* @__PURE__ */ having<Clock>('nowMs', 'sleepUntil'),
  maxWaiters: /* @__PURE__ */ whole('ERR_HEADGATE_OPTION', 1, 1e6, 10_000),
  shared: /* @__PURE__ */ oneOf(false, true),
}
const chargedUnits = /* @__PURE__ */ unitsUpTo(MAX_LIMIT)
const eventOf = /* @__PURE__ */ oneOf('saturated', 'degraded', 'recovered', 'warning')
const syncStore = /* @__PURE__ */ having<SyncStore>('decideSync')

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
  readonly #waiting: Waiting
  readonly #releaseName: () => void
  readonly #ownsStore: boolean
  #closed = false

  /** @throws PolicyError for an unknown or bad option, and for a name that is taken on this store. */
  constructor(options: Common & Where<S> & { readonly policy: P & Policy })
  constructor(options: Common & Where<S> & { readonly policies: P & Policies })
  constructor(options: Common & Where<S> & { readonly policy?: P; readonly policies?: P }) {
    const { store, name, clock, maxWaiters, shared, ...policies } = readOptions('Limiter', options, OPTIONS)
    this.#ownsStore = store === undefined
    this.name = nameOf(name, this.#ownsStore)
    this.#checker = new Checker(this.name, policies)
    const used: Store = store ?? new MemoryStore()
    this.#releaseName = claimName(used, this.name, this.#checker.signature, shared)
    try {
      if (clock) used.adoptClock?.(clock)
    } catch (error) {
      this.#releaseName()
      throw error
    }
    // Where no store is given, S is the default that this is.
    this.store = used as S
    this.#waiting = new Waiting(used, clock ?? used.clock ?? systemClock, maxWaiters, (check) =>
      this.#reserve(check),
    )
  }

  /** Charges `cost` units if every policy has room, and says so. */
  async take(key: KeyOf<P>, options?: TakeOptions<P>): Promise<Decision<NameOf<P>>> {
    return this.#decide('take', this.#check(key, options))
  }

  /** `take` without a promise, where the store answers at once. */
  takeSync(this: Limiter<P, S & SyncStore>, key: KeyOf<P>, options?: TakeOptions<P>): Decision<NameOf<P>> {
    const { entries, cost } = this.#check(key, options)
    // It was given as one that answers at once; whoever has no types is told so.
    if (!this.store.decideSync) syncStore('store', this.store)
    return decisionOf(this.store.decideSync('take', entries, cost), cost)
  }

  /** What `take` would answer now; charges nothing. */
  async peek(key: KeyOf<P>, options?: TakeOptions<P>): Promise<Decision<NameOf<P>>> {
    return this.#decide('peek', this.#check(key, options))
  }

  /** A `take` whose charge can be given back: charge on arrival, refund what turns out to be free. */
  async reserve(key: KeyOf<P>, options?: TakeOptions<P>): Promise<Reservation<NameOf<P>>> {
    return this.#reserve(this.#check(key, options))
  }

  /**
   * Gives back what a receipt was charged, all by default. Once per receipt, by whichever process.
   *
   * @returns How many units came back; of several policies, the most of any.
   * @throws ReceiptError for a text that is no receipt of this limiter.
   */
  async refund(receipt: string, units?: number): Promise<number> {
    this.#checkOpen()
    const wanted = refundedUnits('units', units)
    const [[limiter, instance, id, charged], ...parts] = readReceipt(receipt)
    if (limiter !== this.name) throw new ReceiptError(`the receipt is of the limiter ${show(limiter)}`)
    const marks = this.#checker.marks(parts)
    // A charge in a memory that is gone is gone with it.
    if (instance !== (this.store.instance ?? '') || wanted === 0) return 0
    return askStore(() => this.store.refund({ receipt: id, units: Math.min(wanted, charged), marks }))
  }

  /**
   * Resolves when admitted, first come, first served for each key; keeps no timer after it settles.
   *
   * @throws WaitError when the turn never comes, can't come within `maxWaitMs`, or the line is full; the signal's reason when aborted.
   */
  async wait(key: KeyOf<P>, options?: WaitOptions<P>): Promise<Admitted<NameOf<P>>> {
    const check = this.#check(key, options, WAIT)
    // The names of the decision are those of the policies.
    return this.#waiting.wait(check, options ?? {}) as Promise<Admitted<NameOf<P>>>
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
    const cost = chargedUnits('units', units)
    const { entries } = this.#check(key, options, POLICY_ONLY)
    return decisionOf(await this.#ask('charge', { entries, cost }), 1)
  }

  /** Forgets what a key has used, under the declared policies or those of the call. */
  async reset(key: KeyOf<P>, options?: Omit<TakeOptions<P>, 'cost'>): Promise<void> {
    const check = this.#check(key, options, POLICY_ONLY)
    await askStore(() => this.store.reset(check.entries))
  }

  /**
   * Calls a listener on each event.
   *
   * @returns What undoes it.
   * @throws PolicyError `ERR_HEADGATE_OPTION` for an event that there is not.
   */
  on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    eventOf('event', event ?? null)
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

  #check(key: unknown, options: unknown, schema: CallSchema = TAKE): Check {
    this.#checkOpen()
    return this.#checker.check(key, options, schema)
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError()
  }

  async #decide(operation: Operation, check: Check): Promise<Decision<NameOf<P>>> {
    return decisionOf(await this.#ask(operation, check), check.cost)
  }

  async #reserve(check: Check): Promise<Reservation<NameOf<P>>> {
    const outcome = await this.#ask('take', check)
    const decision = decisionOf<NameOf<P>>(outcome, check.cost)
    return hold(this.store, this.name, decision, check.cost, outcome.readings)
  }

  #ask(operation: Operation, { entries, cost }: Check): Promise<Outcome> {
    return askStore(() => this.store.decide(operation, entries, cost))
  }
}

function nameOf(name: unknown, ownsStore: boolean): string {
  if (name === undefined && ownsStore) return ''
  if (typeof name === 'string' && name) return name
  throw new PolicyError(
    'ERR_HEADGATE_NAME',
    'name',
    name,
    'must be a text that is not empty, on a store that the limiter did not make',
  )
}

function closedError(): StoreError {
  return new StoreError('ERR_HEADGATE_CLOSED', 'the limiter is closed; make a new one')
}
