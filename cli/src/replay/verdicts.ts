import type { KeyIndex } from './key-index.ts'
import { KeyTally, type KeyTotals } from './key-tally.ts'
import { type Peak, RollingPeak } from './rolling-peak.ts'

/** What hears of each decision. */
export interface Verdicts {
  /** A free request that was admitted has its unit back by now. */
  add(keyId: number, timeMs: number, isFree: boolean, allowed: boolean): void
}

/** What a policy did to a log. */
export interface VerdictTotals {
  readonly admitted: number
  /** Of those, the free ones, whose unit came back. */
  readonly givenBack: number
  readonly denied: number
  readonly deniedKeys: number
  /** The most units that any key kept in any stretch as long as the window. */
  readonly peak: Peak | undefined
  /** The keys denied most, the worst first. */
  readonly worst: readonly KeyTotals[]
}

const WORST_KEYS = 10

/** All there is to report of a policy. */
export class FullVerdicts implements Verdicts {
  readonly #tally = new KeyTally()
  readonly #peak: RollingPeak
  readonly #onDenial: (timeMs: number) => void
  #admitted = 0
  #givenBack = 0
  #denied = 0

  constructor(windowMs: number, onDenial: (timeMs: number) => void = () => undefined) {
    this.#peak = new RollingPeak(windowMs)
    this.#onDenial = onDenial
  }

  add(keyId: number, timeMs: number, isFree: boolean, allowed: boolean): void {
    this.#tally.add(keyId, timeMs, allowed)
    if (!allowed) {
      this.#denied++
      this.#onDenial(timeMs)
      return
    }
    this.#admitted++
    if (isFree) this.#givenBack++
    else this.#peak.add(keyId, timeMs)
  }

  totals(keys: KeyIndex): VerdictTotals {
    return {
      admitted: this.#admitted,
      givenBack: this.#givenBack,
      denied: this.#denied,
      deniedKeys: this.#tally.deniedKeys,
      peak: this.#peak.peak((id) => keys.keyOf(id)),
      worst: this.#tally.worst(WORST_KEYS, keys),
    }
  }
}

/** Denials alone, counted so that a limit can be judged while it is still being tried. */
export class Denials implements Verdicts {
  readonly #isDenied: Uint8Array
  /** Of requests that cost something. */
  charged = 0
  /** Of requests that would have been free. */
  free = 0
  keys = 0

  constructor(keys: number) {
    this.#isDenied = new Uint8Array(keys)
  }

  add(keyId: number, _timeMs: number, isFree: boolean, allowed: boolean): void {
    if (allowed) return
    if (isFree) this.free++
    else this.charged++
    if (this.#isDenied[keyId] === 0) this.keys++
    this.#isDenied[keyId] = 1
  }
}
