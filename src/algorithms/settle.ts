import { toMs } from '../clock.ts'
import type { Mark, Refunded, Rule, State } from '../policy.ts'

/** A state at the instant that counts, which is the clock's unless the clock has gone back. */
export interface Settled {
  /** Undefined: nothing is held. */
  readonly state: State | undefined
  readonly atMicros: number
  /** The clock had been wrong: the state as it is now must be stored, whatever is decided, or no wait could be exact. */
  readonly repaired: boolean
}

/** What a policy says of a key, at one instant, to one cost. */
export interface Reading {
  readonly admitted: boolean
  readonly limit: number
  /** Whole units left: after the charge if there was one. */
  readonly remaining: number
  readonly resetAtMicros: number
  /** The first instant at which the same cost is admitted; `Infinity` if never; the reading's own instant if admitted. */
  readonly retryAtMicros: number
}

/**
 * Brings a stored state to an instant.
 *
 * A clock behind the newest time the state holds has gone back. By no more than a span: time stands still until it has caught up, so that
 * nothing is given. By more: the clock was wrong when it stored, so the state moves to now with its use kept, and whoever holds the
 * receipts of before has lost them (`generation`).
 */
export function settle(rule: Rule, stored: State | undefined, nowMicros: number): Settled {
  if (!stored) return { state: undefined, atMicros: nowMicros, repaired: false }
  const { machine } = rule
  const latest = machine.latest(stored)
  const repaired = latest - nowMicros > rule.spanMicros
  const state = repaired ? machine.repair(rule, stored, nowMicros) : stored
  const atMicros = repaired ? nowMicros : Math.max(nowMicros, latest)
  if (atMicros >= machine.expiresAt(rule, state)) return { state: undefined, atMicros: nowMicros, repaired }
  return { state: machine.advance(rule, state, atMicros), atMicros, repaired }
}

/** Whether a cost is admitted, and the numbers that go with it, read off one settled state. */
export function read(rule: Rule, settled: Settled, nowMicros: number, cost: number): Reading {
  const { machine, limit } = rule
  const { state, atMicros } = settled
  const used = state ? machine.used(rule, state, atMicros) : 0
  const admitted = used + cost <= limit
  const resetAtMicros = state ? machine.resetAt(rule, state) : nowMicros
  return {
    admitted,
    limit,
    remaining: Math.max(0, limit - used),
    resetAtMicros,
    retryAtMicros: admitted
      ? nowMicros
      : cost > limit || !state
        ? Number.POSITIVE_INFINITY
        : machine.retryAt(rule, state, cost),
  }
}

/** The state with more units in use; undefined if that is none. The settled state is spent. */
export function charge(rule: Rule, settled: Settled, units: number): State | undefined {
  const { machine } = rule
  const state = machine.charge(rule, settled.state, settled.atMicros, units)
  return machine.used(rule, state, settled.atMicros) > 0 ? state : undefined
}

/** Where a charge that has just been made stands in its state. */
export function markOf(rule: Rule, state: State): Mark {
  const endMicros = rule.machine.resetAt(rule, state)
  return {
    atMicros: rule.machine.latest(state),
    endMicros: toMs(endMicros) < Number.POSITIVE_INFINITY ? endMicros : Number.POSITIVE_INFINITY,
    generation: state.generation,
  }
}

/** Gives units of one marked charge back, as far as they are still in use. The settled state is spent. */
export function refund(rule: Rule, settled: Settled, mark: Mark, units: number): Refunded<State> {
  const { state, atMicros } = settled
  if (!state || state.generation !== mark.generation) return { state, units: 0 }
  return rule.machine.refund(rule, state, atMicros, mark, units)
}
