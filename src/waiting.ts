import type { Check, TakeOptions } from './check.ts'
import { type Clock, nowMicros } from './clock.ts'
import type { Admitted, Denied } from './decision.ts'
import { PolicyError, type StoreError, WaitError } from './errors.ts'
import { decisionOf } from './outcome.ts'
import type { Outcome, Store, SyncStore } from './stores/store.ts'
import { type Waiter, WaitQueue } from './wait-queue.ts'

/** Options of `wait`. */
export interface WaitOptions<P> extends TakeOptions<P> {
  /** Ends the wait: it rejects with the signal's reason, and nothing is charged. */
  readonly signal?: AbortSignal
  /** The longest wait in milliseconds, 0 or more; one that can't fit rejects at once. Default: as long as it takes. */
  readonly maxWaitMs?: number
}

/** Patience, as a call of `wait` has it. */
interface Patience {
  readonly signal: AbortSignal
  readonly deadlineMicros: number
}

/** Waits until a check is admitted: in line, asleep until the instant the last denial named. */
export class Waiting {
  readonly #store: Store
  readonly #clock: Clock
  readonly #maxWaiters: number
  readonly #take: (check: Check) => Promise<Outcome>
  readonly #queue = new WaitQueue()
  readonly #controllers = new Set<AbortController>()

  constructor(store: Store, clock: Clock, maxWaiters: number, take: (check: Check) => Promise<Outcome>) {
    this.#store = store
    this.#clock = clock
    this.#maxWaiters = maxWaiters
    this.#take = take
  }

  async wait<N extends string>(
    check: Check,
    options: Omit<WaitOptions<never>, 'policy'>,
  ): Promise<Admitted<N>> {
    const deadlineMicros = nowMicros(this.#clock) + maxWaitMicros(options.maxWaitMs)
    options.signal?.throwIfAborted()
    if (this.#queue.size >= this.#maxWaiters) {
      throw new WaitError(
        'ERR_HEADGATE_WAIT_QUEUE_FULL',
        `${this.#maxWaiters} calls are waiting already; try again later, or raise maxWaiters`,
      )
    }
    const waiter = WaitQueue.waiter(check)
    const controller = new AbortController()
    const abort = (): void => controller.abort(options.signal?.reason)
    options.signal?.addEventListener('abort', abort)
    this.#controllers.add(controller)
    this.#queue.join(waiter)
    try {
      return await this.#inLine<N>(waiter, check, { signal: controller.signal, deadlineMicros })
    } finally {
      options.signal?.removeEventListener('abort', abort)
      this.#controllers.delete(controller)
      this.#queue.leave(waiter)
    }
  }

  close(error: StoreError): void {
    for (const controller of this.#controllers) controller.abort(error)
  }

  async #inLine<N extends string>(waiter: Waiter, check: Check, patience: Patience): Promise<Admitted<N>> {
    if (!this.#queue.isFirst(waiter)) {
      await this.#refuseHopeless(waiter, check, patience)
      await this.#turn(waiter, patience)
    }
    for (;;) {
      const outcome = await this.#takeUnlessGone(check, patience.signal)
      const decision = decisionOf<N>(check, outcome)
      if (decision.allowed) return decision
      const nowAtMicros = nowMicros(this.#clock)
      const wakeMicros = nowAtMicros + Math.round(decision.retryAfterMs * 1000)
      if (decision.retryAfterMs === Number.POSITIVE_INFINITY) throw never(decision)
      if (wakeMicros > patience.deadlineMicros) throw tooLong(decision)
      await this.#clock.sleepUntil(wakeMicros / 1000, patience.signal)
    }
  }

  /** Resolves when nobody is before it any more; what others take meanwhile must not keep it past its deadline. */
  async #turn(waiter: Waiter, { signal, deadlineMicros }: Patience): Promise<void> {
    if (this.#queue.isFirst(waiter)) return
    const over = new AbortController()
    const turn = new Promise<void>((resolve, reject) => {
      waiter.turn = resolve
      // A turn at the deadline itself is in time.
      const pastMs = (deadlineMicros + 1) / 1000
      if (pastMs < Number.POSITIVE_INFINITY) {
        this.#clock.sleepUntil(pastMs, over.signal).then(() => reject(tooLong(undefined)), reject)
      }
    })
    await abortable(turn, signal).finally(() => over.abort(undefined))
  }

  /** Behind others there is no denial yet to tell by. Where the store answers at once, it can tell when the turn would come. */
  async #refuseHopeless(waiter: Waiter, check: Check, { deadlineMicros }: Patience): Promise<void> {
    const store: Partial<SyncStore> & Store = this.#store
    const { units } = waiter
    const hopeless = check.entries.some(({ rule }) => units > rule.limit)
    const bounded = deadlineMicros < Number.POSITIVE_INFINITY
    const turnMicros =
      bounded && store.forecastSync
        ? store.forecastSync([...this.#queue.before(waiter), waiter])
        : nowMicros(this.#clock)
    if (!hopeless && turnMicros <= deadlineMicros) return
    const decision = decisionOf(check, await store.decide('peek', check.entries, units))
    const denied = decision.allowed ? undefined : decision
    throw hopeless ? never(denied) : tooLong(denied)
  }

  /** An abort ends the wait at once. What the store may still admit then is given back. */
  async #takeUnlessGone(check: Check, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted()
    const taking = this.#take(check)
    try {
      return await abortable(taking, signal)
    } catch (error) {
      if (signal.aborted) this.#giveBackWhenTaken(check, taking)
      throw error
    }
  }

  #giveBackWhenTaken({ entries, cost }: Check, taking: Promise<Outcome>): void {
    taking
      .then(({ admitted, readings }) => {
        if (!admitted) return undefined
        const parts = entries.map((entry, i) => ({
          ...entry,
          mark: readings[i] as (typeof readings)[number],
        }))
        return this.#store.refund({ receipt: undefined, units: cost, parts })
      })
      // Nobody waits for this answer any more, and a store that fails has its alarm elsewhere.
      .catch(() => {})
  }
}

function maxWaitMicros(maxWaitMs: unknown): number {
  if (maxWaitMs === undefined) return Number.POSITIVE_INFINITY
  if (typeof maxWaitMs === 'number' && maxWaitMs >= 0) return Math.round(maxWaitMs * 1000)
  throw new PolicyError('ERR_HEADGATE_OPTION', 'maxWaitMs', maxWaitMs, 'must be milliseconds, 0 or more')
}

function never(decision: Denied | undefined): WaitError {
  return new WaitError(
    'ERR_HEADGATE_WAIT_NEVER',
    'this cost is never admitted, however long one waits; ask for less',
    decision,
  )
}

function tooLong(decision: Denied | undefined): WaitError {
  return new WaitError(
    'ERR_HEADGATE_WAIT_TOO_LONG',
    'the wait does not fit into maxWaitMs; wait longer, ask for less or come back later',
    decision,
  )
}

/** A promise that an abort rejects at once, with its reason; the listener goes with it. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
