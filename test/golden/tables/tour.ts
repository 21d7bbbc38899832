import type { Keys } from '../../model/oracle/index.ts'
import type { Scribe } from '../scribe.ts'

/** Numbers that look random and are the same each time. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to `sides` − 1. */
  roll(sides: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * sides)
  }

  of<T>(...all: readonly T[]): T {
    return all[this.roll(all.length)] as T
  }
}

const MICRO_MS = 0.001

/** What every policy is asked: one by one until it denies, and then at the edges that the denial names. */
export function tour(scribe: Scribe, keys: Keys, limit: number): void {
  scribe.peek(keys)
  for (let taken = 0; taken < Math.min(limit, 4); taken++) scribe.take(keys)
  scribe.take(keys, 0)
  scribe.take(keys, limit + 1)
  if (limit > 4) scribe.take(keys, limit - 4)
  waitOut(scribe, keys, 1)
  scribe.take(keys)
  waitOut(scribe, keys, limit)
  const { resetAtMs } = scribe.take(keys, limit)
  if (!Number.isFinite(resetAtMs)) return
  scribe.at(resetAtMs - MICRO_MS).peek(keys)
  scribe.at(resetAtMs).peek(keys)
  scribe.after(12_345.678).peek(keys, limit)
}

/** Denied a microsecond before the promised instant, and admitted at it. */
export function waitOut(scribe: Scribe, keys: Keys, cost: number): void {
  const { allowed, retryAtMs = Number.POSITIVE_INFINITY } = scribe.take(keys, cost)
  if (allowed || !Number.isFinite(retryAtMs)) return
  scribe.at(retryAtMs - MICRO_MS).take(keys, cost)
  scribe.at(retryAtMs).peek(keys, cost)
}

/** Takes and peeks of any cost, at random instants and at those that the answers name; the clock only goes forward. */
export function wander(scribe: Scribe, keys: Keys, limit: number, windowMs: number, steps: number): void {
  const dice = new Dice(limit * 7_919 + steps)
  let last = scribe.peek(keys)
  for (let step = 0; step < steps; step++) {
    move(scribe, dice, windowMs, last.retryAtMs ?? last.resetAtMs)
    const cost = dice.of(1, 1, 1, 2, Math.max(1, last.remaining), last.remaining + 1, 1 + dice.roll(limit))
    last = dice.roll(4) === 0 ? scribe.peek(keys, cost) : scribe.take(keys, cost)
  }
}

function move(scribe: Scribe, dice: Dice, windowMs: number, namedMs: number): void {
  const by = dice.roll(5)
  if (by === 0 && Number.isFinite(namedMs) && namedMs > scribe.nowMs) {
    scribe.at(namedMs - dice.of(0, 0, MICRO_MS))
  } else if (by === 1) scribe.after(MICRO_MS)
  else if (by > 2) scribe.after(Math.round((windowMs * 1000 * dice.roll(40)) / 32) / 1000)
}
