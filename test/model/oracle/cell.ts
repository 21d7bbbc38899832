import type { Algorithm, Charged } from './algorithm.ts'
import { bucket } from './bucket.ts'
import { fixedWindow } from './fixed-window.ts'
import { firstInstant, type Instant } from './instant.ts'
import { slidingLog } from './sliding-log.ts'
import { slidingWindow } from './sliding-window.ts'
import { limitOf, type PolicySpec } from './spec.ts'

/** One stored state, of whichever algorithm, and how often a wrong clock was repaired in it. */
export interface Cell {
  readonly generation: number
  readonly state: unknown
}

export type Held = Cell | undefined

/** One policy's answer. */
export interface Verdict {
  readonly admitted: boolean
  readonly never: boolean
  readonly limit: bigint
  readonly remaining: bigint
  /** `undefined` twice over: never, and (by `held`) nothing to reset. */
  readonly reset: Instant
  readonly retry: Instant
  readonly held: boolean
}

function algorithmOf(spec: PolicySpec): Algorithm<unknown> {
  switch (spec.algorithm) {
    case 'fixed-window':
      return fixedWindow(spec) as Algorithm<unknown>
    case 'sliding-window':
      return slidingWindow(spec) as Algorithm<unknown>
    case 'sliding-log':
      return slidingLog(spec) as Algorithm<unknown>
    default:
      return bucket(spec) as Algorithm<unknown>
  }
}

/** One policy over one cell at one instant: time's hazards first, then the question. Pure: cells go in, cells come out. */
export class Policed {
  readonly #algorithm: Algorithm<unknown>
  readonly #limit: bigint
  /** The time that counts: the clock's, or `latest` where time stands still. */
  readonly now: bigint
  /** What counts: the cell, repaired if it must be; `undefined` if nothing in it is used any more. */
  readonly cell: Held
  /** What the store holds after a question that changes nothing: the repair, or the very cell it held. */
  readonly kept: Held

  constructor(spec: PolicySpec, stored: Held, clockMicros: bigint) {
    this.#algorithm = algorithmOf(spec)
    this.#limit = BigInt(limitOf(spec))
    const { spanMicros } = this.#algorithm
    const behind = stored ? this.#algorithm.latest(stored.state) - clockMicros : 0n
    const repaired =
      stored && behind > spanMicros
        ? { generation: stored.generation + 1, state: this.#algorithm.shift(stored.state, clockMicros) }
        : stored
    this.now = behind > 0n && behind <= spanMicros ? clockMicros + behind : clockMicros
    this.cell = repaired && this.#isLive(repaired) ? repaired : undefined
    this.kept = repaired === stored ? stored : this.cell
  }

  #isLive(cell: Cell): boolean {
    const lapses = this.#algorithm.lapsesAt(cell.state)
    if (lapses !== undefined && this.now >= lapses) return false
    return this.#algorithm.used(cell.state, this.now) > 0n
  }

  #used(at: bigint): bigint {
    return this.cell ? this.#algorithm.used(this.cell.state, at) : 0n
  }

  admits(cost: bigint): boolean {
    return this.#used(this.now) + cost <= this.#limit
  }

  decide(cost: bigint): Verdict {
    const { cell, now } = this
    const admitted = this.admits(cost)
    const never = cost > this.#limit
    const left = this.#limit - this.#used(now)
    return {
      admitted,
      never,
      limit: this.#limit,
      remaining: left > 0n ? left : 0n,
      held: cell !== undefined,
      reset: cell && firstInstant(this.#algorithm.latest(cell.state), (at) => this.#used(at) === 0n),
      retry: admitted || never ? undefined : firstInstant(now, (at) => this.#used(at) + cost <= this.#limit),
    }
  }

  /** The cell after so many units more, into debt if need be; none where saturation left nothing in use. */
  charge(units: bigint): Held {
    const state = this.#algorithm.charge(this.cell?.state, this.now, units)
    return this.#algorithm.used(state, this.now) > 0n
      ? { generation: this.cell?.generation ?? 0, state }
      : undefined
  }

  /** What a receipt must remember of a charge that left `cell`. */
  charged(cell: Cell, units: bigint, end: Instant): Charged {
    return { units, place: this.#algorithm.latest(cell.state), end }
  }

  refund(charged: Charged, generation: number, units: bigint): { cell: Held; units: bigint } {
    const { cell } = this
    if (!cell || cell.generation !== generation) return { cell: this.kept, units: 0n }
    const wanted = units < charged.units ? units : charged.units
    const returned = this.#algorithm.refund(cell.state, this.now, charged, wanted)
    if (returned.units === 0n) return { cell: this.kept, units: 0n }
    const left = returned.state === undefined ? undefined : { ...cell, state: returned.state }
    return { cell: left, units: returned.units }
  }
}

/** Whether at this instant the cell can't be told from none, so that a store may have dropped it. */
export function isEnded(spec: PolicySpec, cell: Cell, nowMicros: bigint): boolean {
  return new Policed(spec, cell, nowMicros).cell === undefined
}

/** The instant from which a charge under this policy has nothing left to give back. */
export function voidsAt(spec: PolicySpec, charged: Charged): Instant {
  return algorithmOf(spec).voidsAt(charged)
}
