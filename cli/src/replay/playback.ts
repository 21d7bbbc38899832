import { Limiter, MemoryStore, type Policy } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { errorCode, Failure } from '../failure.ts'
import { showCount } from '../text.ts'
import type { EventBatch } from './event-batch.ts'
import type { KeyIndex } from './key-index.ts'
import type { Traffic } from './traffic.ts'
import type { Verdicts } from './verdicts.ts'

/** Far above what fits into memory in practice, and below what a Map can hold: the store must not be the reason for a verdict. */
const MAX_KEYS = 10_000_000

/** A policy to put a log through, and what hears of its decisions. */
export interface Lane {
  readonly policy: Policy
  readonly verdicts: Verdicts
}

/** Puts requests through policies side by side: the limiter itself, on a clock that follows the log. */
export class Playback {
  readonly #clock = new ManualClock(0)
  readonly #keys: KeyIndex
  readonly #traffic: Traffic | undefined
  readonly #lanes: readonly { readonly limiter: Limiter<Policy>; readonly verdicts: Verdicts }[]

  /** @param traffic Hears of each request once, before it is decided. */
  constructor(keys: KeyIndex, lanes: readonly Lane[], traffic?: Traffic) {
    this.#keys = keys
    this.#traffic = traffic
    this.#lanes = lanes.map(({ policy, verdicts }) => {
      const store = new MemoryStore({ maxKeys: MAX_KEYS, clock: this.#clock })
      return { limiter: new Limiter({ name: 'replay', store, clock: this.#clock, policy }), verdicts }
    })
  }

  /** Each request is charged as it comes; a free one gives its unit back at once, as an answer that is free does. */
  async play(batch: EventBatch): Promise<void> {
    for (let at = 0; at < batch.size; at++) {
      const timeMs = batch.timeMs(at)
      const keyId = batch.keyId(at)
      const isFree = batch.isFree(at)
      const key = this.#keys.keyOf(keyId)
      this.#clock.set(timeMs)
      this.#traffic?.add(keyId, timeMs, isFree)
      for (const { limiter, verdicts } of this.#lanes) {
        // A promise for each request would take longer than its decision.
        const allowed = isFree ? await borrowed(limiter, key) : taken(limiter, key)
        verdicts.add(keyId, timeMs, isFree, allowed)
      }
    }
  }
}

function taken(limiter: Limiter<Policy>, key: string): boolean {
  try {
    return limiter.takeSync(key).allowed
  } catch (error) {
    throw explained(error)
  }
}

async function borrowed(limiter: Limiter<Policy>, key: string): Promise<boolean> {
  try {
    const reservation = await limiter.reserve(key)
    await reservation.refund()
    return reservation.decision.allowed
  } catch (error) {
    throw explained(error)
  }
}

function explained(error: unknown): unknown {
  if (errorCode(error) !== 'ERR_HEADGATE_SATURATED') return error
  return new Failure(
    `more than ${showCount(MAX_KEYS)} keys are held at once: replay a shorter log, or a shorter window.`,
  )
}
