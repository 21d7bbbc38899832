import { type CallSchema, type Check, TAKE, type TakeOptions } from './check.ts'
import { type Clock, NEVER, nowMicros } from './clock.ts'
import type { Admitted, Decision } from './decision.ts'
import { PolicyError, type StoreError, WaitError } from './errors.ts'
import { having, type Reader } from './options.ts'
import { decisionOf } from './outcome.ts'
import type { Reservation } from './reservation.ts'
import { askStore, type Store, type SyncStore } from './stores/store.ts'
import { type Waiter, WaitQueue } from './wait-queue.ts'

/** Options of `wait`. */
export interface WaitOptions<P> extends TakeOptions<P> {
  /** Ends the wait: it rejects with the signal's reason, and nothing is charged. */
  readonly signal?: AbortSignal
  /** The longest wait in milliseconds, 0 or more; one that can't fit rejects at once. Default: as long as it takes. */
  readonly maxWaitMs?: number
}

/** The options of `wait`, by the readers that know them. */
export const WAIT: CallSchema & { readonly [K in 'signal' | 'maxWaitMs']: Reader<unknown> } = {
  ...TAKE,
  signal: /* @__PURE__ */ having<AbortSignal>('throwIfAborted', 'addEventListener'),
  maxWaitMs(field, value = NEVER) {
    if (typeof value === 'number' && value >= 0) return value
    throw new PolicyError('ERR_HEADGATE_OPTION', field, value, 'must be milliseconds, 0 or more')
  },
}

/** How many of those before it a bounded wait looks at to tell that it is hopeless; in a longer line it may find out at its bound. */
const LOOK_AHEAD = 256

/** Waits until a check is admitted: in line, asleep until the instant the last denial named. */
export class Waiting {
  readonly #store: Store
  readonly #clock: Clock
  readonly #maxWaiters: number
  readonly #reserve: (check: Check) => Promise<Reservation>
  readonly #queue = new WaitQueue()

  constructor(
    store: Store,
    clock: Clock,
    maxWaiters: number,
    reserve: (check: Check) => Promise<Reservation>,
  ) {
    this.#store = store
    this.#clock = clock
    this.#maxWaiters = maxWaiters
    this.#reserve = reserve
  }

  async wait(check: Check, { signal, maxWaitMs = NEVER }: WaitOptions<unknown>): Promise<Admitted> {
    const deadlineMicros = nowMicros(this.#clock) + Math.round(maxWaitMs * 1000)
    signal?.throwIfAborted()
    if (this.#queue.waiters.size >= this.#maxWaiters) {
      throw new WaitError(
        'ERR_HEADGATE_WAIT_QUEUE_FULL',
        `${this.#maxWaiters} calls wait already; try later, or raise maxWaiters`,
      )
    }
    const waiter = this.#queue.join(check)
    const own = waiter.controller.signal
    const abort = (): void => waiter.controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    return new Promise<Admitted>((resolve, reject) => {
      own.addEventListener('abort', () => reject(own.reason))
      this.#stand(waiter, check, deadlineMicros, resolve).catch(reject)
    }).finally(() => {
      signal?.removeEventListener('abort', abort)
      // Whatever still sleeps for this waiter ends.
      abort()
      this.#queue.leave(waiter)
    })
  }

  close(error: StoreError): void {
    for (const { controller } of this.#queue.waiters) controller.abort(error)
  }

  /** An abort ends the wait at once; this goes on for as long as the store takes, and gives back what it then admits. */
  async #stand(
    waiter: Waiter,
    check: Check,
    deadlineMicros: number,
    admit: (decision: Admitted) => void,
  ): Promise<void> {
    const { signal } = waiter.controller
    if (!this.#queue.isFirst(waiter)) {
      await this.#refuseHopeless(waiter, deadlineMicros)
      await this.#turn(waiter, deadlineMicros)
    }
    for (;;) {
      signal.throwIfAborted()
      const reservation = await this.#reserve(check)
      const { decision } = reservation
      if (signal.aborted) return void (await reservation.refund())
      if (decision.allowed) return admit(decision)
      const wakeMicros = nowMicros(this.#clock) + Math.round(decision.retryAfterMs * 1000)
      if (wakeMicros === NEVER || wakeMicros > deadlineMicros) throw gaveUp(decision)
      await this.#clock.sleepUntil(wakeMicros / 1000, signal)
    }
  }

  /** Resolves when nobody is before it any more; what others take meanwhile must not keep it past its deadline. */
  async #turn(waiter: Waiter, deadlineMicros: number): Promise<void> {
    if (this.#queue.isFirst(waiter)) return
    await new Promise<void>((resolve, reject) => {
      waiter.turn = resolve
      // A turn at the deadline itself is in time.
      const pastMs = (deadlineMicros + 1) / 1000
      if (pastMs < NEVER) {
        this.#clock.sleepUntil(pastMs, waiter.controller.signal).then(() => reject(gaveUp()), reject)
      }
    })
  }

  /** Behind others there is no denial yet to tell by. Where the store answers at once, it can tell when the turn would come. */
  async #refuseHopeless(waiter: Waiter, deadlineMicros: number): Promise<void> {
    const store: Partial<SyncStore> & Store = this.#store
    const { entries, units } = waiter
    const hopeless =
      entries.some(({ rule }) => units > rule.limit) ||
      (deadlineMicros < NEVER &&
        (store.forecastSync?.(this.#queue.upTo(waiter).slice(0, LOOK_AHEAD)) ?? 0) > deadlineMicros)
    if (hopeless) {
      throw gaveUp(decisionOf(await askStore(() => store.decide('peek', entries, units)), units))
    }
  }
}

function gaveUp(decision?: Decision): WaitError {
  const denied = decision?.allowed ? undefined : decision
  return denied?.retryAfterMs === NEVER
    ? new WaitError('ERR_HEADGATE_WAIT_NEVER', 'this cost is never admitted; ask for less', denied)
    : new WaitError(
        'ERR_HEADGATE_WAIT_TOO_LONG',
        'the turn does not come within maxWaitMs; ask for less, or later',
        denied,
      )
}
