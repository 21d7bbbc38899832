import type { Reading } from '../algorithms/settle.ts'
import type { Clock } from '../clock.ts'
import type { Entry } from '../entry.ts'
import { HeadgateError, StoreError } from '../errors.ts'
import type { Emitter } from '../events.ts'
import type { Mark } from '../policy.ts'

/** `take` charges if every entry admits; `peek` never charges; `charge` always does. */
export type Operation = 'take' | 'peek' | 'charge'

/** What a check came to. */
export interface Outcome {
  /** The clock that decided, in microseconds. */
  readonly nowMicros: number
  /** One for each entry, in order; after the charge, if there was one, and then its mark as well. */
  readonly readings: readonly Reading[]
}

/** Where a charge stands in the state of an entry. */
export interface EntryMark extends Mark {
  readonly entry: Entry
}

/** A charge that is to be given back. */
export interface Refund {
  /** The name of the receipt: it gives back once. Undefined: nobody else has it. */
  readonly receipt: string | undefined
  readonly units: number
  readonly marks: readonly EntryMark[]
}

/**
 * What every store keeps. Its promises, checked by `storeConformance` of `headgate/testing`:
 *
 * - A check is one atomic step: all entries are decided, then all are charged or none.
 * - The numbers of a decision come from the step that decided.
 * - A state that is live is never dropped in silence.
 * - Whatever can't be decided rejects, with a StoreError where the store knows why.
 */
export interface Store {
  readonly kind: string
  /** Names this very memory, where states die with it: receipts of another are void. */
  readonly instance?: string
  /** Tells of what happens to the store itself. */
  readonly events?: Emitter | undefined
  /** The clock that decides, where it is in this process. */
  readonly clock?: Clock | undefined
  /** Takes a limiter's clock as the one that decides. @throws PolicyError where another does already. */
  adoptClock?(clock: Clock): void
  /** With 0 units it charges nothing, and answers what a peek with 1 would. */
  decide(operation: Operation, entries: readonly Entry[], units: number): Promise<Outcome>
  /** Resolves with the units that came back, the most of any entry. */
  refund(refund: Refund): Promise<number>
  reset(entries: readonly Entry[]): Promise<void>
  close(): Promise<void>
}

/** A store that answers at once. */
export interface SyncStore extends Store {
  readonly sync: true
  decideSync(operation: Operation, entries: readonly Entry[], units: number): Outcome
  /**
   * When the last of these takes would be admitted, if each went as soon as it could, in this order where they share a state, and nothing
   * else came: in microseconds, `Infinity` for never. Changes nothing.
   */
  forecastSync(takes: readonly Take[]): number
}

/** A take that has not happened yet. */
export interface Take {
  readonly entries: readonly Entry[]
  readonly units: number
}

/** Asks a store; whatever it fails with is a StoreError, and its own error the cause. */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof HeadgateError) throw error
    throw new StoreError(
      'ERR_HEADGATE_STORE',
      `the store failed: ${error instanceof Error ? error.message : error}`,
      error,
    )
  }
}
