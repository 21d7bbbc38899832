import { NEVER, told } from '../clock.ts'
import type { Entry } from '../entry.ts'
import { MAX_KEEP_MICROS, type Mark, type Rule, type State } from '../policy.ts'

/** A state at the instant that counts, which is the clock's unless the clock has gone back. */
export interface Settled {
  /** Undefined: nothing is held. */
  state: State | undefined
  /** Whole units in use. */
  used: number
  readonly atMicros: number
  /** The clock had been wrong: the state as it is now must be stored, whatever is decided, or no wait could be exact. */
  readonly repaired: boolean
}

/** What a policy says of a key, at one instant, to one cost. After a charge it is the charge's mark as well. */
export interface Reading extends Mark {
  readonly entry: Entry
  /** Whole units left: after the charge if there was one. */
  readonly remaining: number
  /** The first instant at which the same cost is admitted: the reading's own if it is, `Infinity` if never. */
  readonly retryAtMicros: number
}

/**
 * Brings a stored state to an instant.
 *
 * A clock behind the newest time the state holds has gone back. By no more than a span: time stands still until it has caught up, so that
 * nothing is given. By more: the clock was wrong when it stored, so the state moves to now with its use kept, and whoever holds the
 * receipts of before has lost them (`generation`).
 */
export function settle(rule: Rule, state: State | undefined, nowMicros: number): Settled {
  const repaired = state !== undefined && state.at - nowMicros > rule.spanMicros
  if (repaired) {
    const at = rule.machine.open(rule, nowMicros).at
    rule.machine.shift?.(state, at - state.at)
    state.at = at
    state.generation = (state.generation + 1) % 256
  }
  // A repaired state's window may open before now, and never after.
  const atMicros = state ? Math.max(nowMicros, state.at) : nowMicros
  const live = state !== undefined && atMicros < expiresAt(rule, state)
  return live
    ? counted(rule, { state: rule.machine.advance(rule, state, atMicros), used: 0, atMicros, repaired })
    : { state: undefined, used: 0, atMicros: nowMicros, repaired }
}

/** The instant from which a state can't be told from none. */
export function expiresAt(rule: Rule, state: State): number {
  const endMicros = rule.machine.freeAt(rule, state, 0)
  // What is never refilled is forgotten in the end all the same.
  return endMicros === NEVER && rule.refill === 0 ? state.at + MAX_KEEP_MICROS : endMicros
}

/** The numbers for a cost, read off one settled state. */
export function read(entry: Entry, { state, used }: Settled, nowMicros: number, cost: number): Reading {
  const { rule } = entry
  const { machine, limit } = rule
  let retryAtMicros = nowMicros
  if (used + cost > limit) {
    retryAtMicros = state && cost <= limit ? told(machine.freeAt(rule, state, limit - cost)) : NEVER
  }
  return {
    entry,
    remaining: Math.max(0, limit - used),
    resetAtMicros: state ? told(machine.freeAt(rule, state, 0)) : nowMicros,
    retryAtMicros,
    chargedAtMicros: state ? state.at : nowMicros,
    generation: state ? state.generation : 0,
  }
}

/** Takes more units into use. */
export function charge(rule: Rule, settled: Settled, units: number): void {
  const { machine } = rule
  settled.state ??= machine.open(rule, settled.atMicros)
  machine.charge(rule, settled.state, settled.atMicros, units)
  counted(rule, settled)
}

/** Gives units of one marked charge back, as far as they are still in use. @returns How many came back. */
export function refund(rule: Rule, settled: Settled, mark: Mark, units: number): number {
  const { state, atMicros } = settled
  if (state?.generation !== mark.generation) return 0
  const back = rule.machine.refund(rule, state, atMicros, mark, units)
  counted(rule, settled)
  return back
}

/** With no unit in use, a state is none. */
function counted(rule: Rule, settled: Settled): Settled {
  settled.used = rule.machine.used(rule, settled.state as State, settled.atMicros)
  if (settled.used === 0) settled.state = undefined
  return settled
}
