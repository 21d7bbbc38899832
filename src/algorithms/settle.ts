import { told } from '../clock.ts'
import type { Mark, Rule, State } from '../policy.ts'

/** A state at the instant that counts, which is the clock's unless the clock has gone back. */
export interface Settled {
  /** Undefined: nothing is held. */
  readonly state: State | undefined
  /** Whole units in use. */
  readonly used: number
  readonly atMicros: number
  /** The clock had been wrong: the state as it is now must be stored, whatever is decided, or no wait could be exact. */
  readonly repaired: boolean
}

/** What a policy says of a key, at one instant, to one cost. After a charge it is the charge's mark as well. */
export interface Reading extends Mark {
  readonly admitted: boolean
  readonly limit: number
  /** Whole units left: after the charge if there was one. */
  readonly remaining: number
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
  if (!stored) return { state: undefined, used: 0, atMicros: nowMicros, repaired: false }
  const repaired = stored.at - nowMicros > rule.spanMicros
  const state = repaired ? repair(rule, stored, nowMicros) : stored
  const atMicros = repaired ? nowMicros : Math.max(nowMicros, stored.at)
  if (atMicros >= expiresAt(rule, state)) return { state: undefined, used: 0, atMicros: nowMicros, repaired }
  return held(rule, rule.machine.advance(rule, state, atMicros), atMicros, repaired)
}

function repair(rule: Rule, state: State, nowMicros: number): State {
  return { ...rule.machine.move(rule, state, nowMicros), generation: (state.generation + 1) % 256 }
}

/** The instant from which a state can't be told from none. */
export function expiresAt(rule: Rule, state: State): number {
  const { machine } = rule
  return machine.expiresAt ? machine.expiresAt(rule, state) : machine.resetAt(rule, state)
}

/** The numbers for a cost, read off one settled state. */
export function read(
  rule: Rule,
  { state, used }: Settled,
  nowMicros: number,
  cost: number,
  admitted: boolean = used + cost <= rule.limit,
): Reading {
  return {
    admitted,
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - used),
    resetAtMicros: state ? told(rule.machine.resetAt(rule, state)) : nowMicros,
    retryAtMicros: admitted ? nowMicros : retryAt(rule, state, cost),
    chargedAtMicros: state ? state.at : nowMicros,
    generation: state ? state.generation : 0,
  }
}

function retryAt(rule: Rule, state: State | undefined, cost: number): number {
  return state && cost <= rule.limit
    ? told(rule.machine.retryAt(rule, state, cost))
    : Number.POSITIVE_INFINITY
}

/** The state with more units in use. The settled state is spent. */
export function charge(rule: Rule, { state, atMicros }: Settled, units: number): Settled {
  return held(rule, rule.machine.charge(rule, state, atMicros, units), atMicros, false)
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
  return { state: held(rule, refunded.state, atMicros, false).state, units: refunded.units }
}

/** With no unit in use, a state is none. */
function held(rule: Rule, state: State, atMicros: number, repaired: boolean): Settled {
  const used = rule.machine.used(rule, state, atMicros)
  return { state: used > 0 ? state : undefined, used, atMicros, repaired }
}
