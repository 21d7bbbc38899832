import { told } from '../clock.ts'
import type { Mark, Rule, State } from '../policy.ts'

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
  const repaired = stored.at - nowMicros > rule.spanMicros
  const state = repaired ? repair(rule, stored, nowMicros) : stored
  const atMicros = repaired ? nowMicros : Math.max(nowMicros, stored.at)
  if (atMicros >= expiresAt(rule, state)) return { state: undefined, atMicros: nowMicros, repaired }
  return { state: rule.machine.advance(rule, state, atMicros), atMicros, repaired }
}

function repair(rule: Rule, state: State, nowMicros: number): State {
  return { ...rule.machine.move(rule, state, nowMicros), generation: (state.generation + 1) % 256 }
}

/** The instant from which a state can't be told from none. */
export function expiresAt(rule: Rule, state: State): number {
  const { machine } = rule
  return machine.expiresAt ? machine.expiresAt(rule, state) : machine.resetAt(rule, state)
}

/** Whether a cost is admitted, and the numbers that go with it, read off one settled state. */
export function read(rule: Rule, settled: Settled, nowMicros: number, cost: number): Reading {
  const { machine, limit } = rule
  const { state, atMicros } = settled
  const used = state ? machine.used(rule, state, atMicros) : 0
  const admitted = used + cost <= limit
  const resetAtMicros = state ? told(machine.resetAt(rule, state)) : nowMicros
  return {
    admitted,
    limit,
    remaining: Math.max(0, limit - used),
    resetAtMicros,
    retryAtMicros: admitted
      ? nowMicros
      : cost > limit || !state
        ? Number.POSITIVE_INFINITY
        : told(machine.retryAt(rule, state, cost)),
  }
}

/** The state with more units in use; undefined if that is none. The settled state is spent. */
export function charge(rule: Rule, settled: Settled, units: number): State | undefined {
  return held(rule, rule.machine.charge(rule, settled.state, settled.atMicros, units), settled.atMicros)
}

/** Where a charge that has just been made stands in its state. */
export function markOf(rule: Rule, state: State): Mark {
  return {
    atMicros: state.at,
    endMicros: told(rule.machine.resetAt(rule, state)),
    generation: state.generation,
  }
}

/** Gives units of one marked charge back, as far as they are still in use. The settled state is spent. */
export function refund(
  rule: Rule,
  { state, atMicros }: Settled,
  mark: Mark,
  units: number,
): { readonly state: State | undefined; readonly units: number } {
  if (!state || state.generation !== mark.generation) return { state, units: 0 }
  const refunded = rule.machine.refund(rule, state, atMicros, mark, units)
  return { state: held(rule, refunded.state, atMicros), units: refunded.units }
}

/** With no unit in use, a state is none. */
function held(rule: Rule, state: State, atMicros: number): State | undefined {
  return rule.machine.used(rule, state, atMicros) > 0 ? state : undefined
}
