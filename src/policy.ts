import { durationMs } from './duration.ts'
import { type ErrorCode, PolicyError } from './errors.ts'

/** The algorithms, by the names the field uses. */
export type Algorithm = 'fixed-window' | 'sliding-window' | 'sliding-log' | 'token-bucket' | 'gcra'

/** An algorithm and its numbers, frozen; made by `fixedWindow`, `slidingWindow`, `slidingLog`, `tokenBucket`, `gcra` or `leakyBucket`. */
export interface Policy {
  readonly algorithm: Algorithm
  /** The most units at once: the limit of a window, the capacity of a bucket, the burst of a GCRA. */
  readonly limit: number
  /**
   * The window. Of a bucket, the time it takes to fill from empty, so that `limit` per `windowMs` is its long-run rate; `Infinity`
   * for a refill of 0.
   */
  readonly windowMs: number
}

/** The largest limit, capacity, burst, rate or refill. */
export const MAX_LIMIT = 1e9

/** The most units a window can hold in debt; more saturates here. */
export const MAX_USE: number = 2 ** 31 - 1

/** 366 days: the longest window, and how long a bucket that never refills is kept. */
export const MAX_KEEP_MICROS: number = 366 * 86_400_000_000

/** What every state holds. */
export interface State {
  /** The newest instant it knows: its window's start, its newest entry, its bucket's last charge. A clock behind it has gone back. */
  readonly at: number
  /** How often a wrong clock was repaired, modulo 256. A receipt from before a repair is void. */
  readonly generation: number
}

/** A state of constant size: with `at`, two more numbers say it all. */
export interface CountedState extends State {
  /** Whole units: of the window that `at` opens, or in use at `at`. */
  readonly used: number
  /** What else there is: the previous window's units, or the fraction of a unit that a bucket has in use besides. */
  readonly rest: number
}

/** Where and when a charge was put, so that a refund finds exactly that charge. */
export interface Mark {
  /** The instant of the entry or of the bucket's charge; the start of the window. */
  readonly chargedAtMicros: number
  /** The reset that was reported with the charge. */
  readonly resetAtMicros: number
  readonly generation: number
}

/** A state after a refund, and how many units came back. */
export interface Refunded<S> {
  readonly state: S
  readonly units: number
}

/**
 * An algorithm: pure functions over a state, an instant in whole microseconds, and whole units.
 *
 * The functions from `used` on are given a state that `settle` (`algorithms/settle.ts`) has brought to the instant that counts: hazards of
 * the clock repaired, and something held. What `charge`, `refund` and `move` are given is theirs: they may reuse its memory, and the
 * caller keeps only what they return.
 */
export interface Machine<S extends State = State> {
  readonly algorithm: Algorithm
  /** Moves the state so that `at` is the instant given (for aligned windows, the start of its window); use is kept. */
  move(rule: Rule, state: S, atMicros: number): S
  /** The state as it counts at an instant that is not before `at`: rolled into its window, refilled. */
  advance(rule: Rule, state: S, atMicros: number): S
  /** Whole units in use, rounded up (the counter: as its rule says). */
  used(rule: Rule, state: S, atMicros: number): number
  charge(rule: Rule, state: S | undefined, atMicros: number, units: number): S
  refund(rule: Rule, state: S, atMicros: number, mark: Mark, units: number): Refunded<S>
  /** When the whole quota is back, if nothing more is charged: from then on the state can't be told from none. */
  resetAt(rule: Rule, state: S): number
  /** The first instant at which a cost that is denied now, and is not above the limit, is admitted. */
  retryAt(rule: Rule, state: S, cost: number): number
  /** The instant from which the state can't be told from none, where that is not the reset. */
  expiresAt?(rule: Rule, state: S): number
  /** How far behind a state a clock may be; by default the window. */
  span?(numbers: RuleNumbers): number
  /** A state that shares no memory with this one. Without it states are values, and of constant size. */
  copy?(state: S): S
}

/** The numbers of a policy as its machine needs them, all whole. */
export interface RuleNumbers {
  readonly limit: number
  /** The window; of a bucket, the period of its refill. */
  readonly windowMicros: number
  /** Units that come back each period; 0 for windows. */
  readonly refill: number
  /** `'epoch'` for an aligned fixed window, `'strict'` for a counter that rounds up. */
  readonly variant: '' | 'epoch' | 'strict'
}

/** A policy from the inside: its numbers, its machine, and what of it is part of a state's identity. */
export interface Rule extends RuleNumbers {
  readonly machine: Machine
  /** All numbers but the limit: where one of these differs, it is another state. */
  readonly shape: string
  /** A clock further than this behind a state was wrong when it was stored: the window; of a bucket, the time to fill it from empty. */
  readonly spanMicros: number
}

/** A symbol, and not a field: a policy shows its numbers and hides its machine. */
const RULE = Symbol.for('headgate.rule.1')

type Made = Policy & { readonly [RULE]?: Rule }

/** The rule inside a policy. @throws PolicyError `ERR_HEADGATE_POLICY` for anything that no policy maker made. */
export function ruleOf(policy: Policy, field = 'policy'): Rule {
  const rule = (policy as Made | undefined)?.[RULE]
  if (rule) return rule
  throw new PolicyError(
    'ERR_HEADGATE_POLICY',
    field,
    policy,
    'must be made by a policy maker such as slidingWindow',
  )
}

/** A rule from numbers that are known to be good. */
export function makeRule(machine: Machine, numbers: RuleNumbers): Rule {
  const { windowMicros, refill, variant } = numbers
  return {
    ...numbers,
    machine,
    shape: [machine.algorithm, windowMicros, refill, variant].join(':'),
    spanMicros: machine.span ? machine.span(numbers) : windowMicros,
  }
}

/** A policy around a rule. */
export function makePolicy<S extends State>(machine: Machine<S>, numbers: RuleNumbers): Policy {
  // A machine is only ever given states of its own making: a store keeps them apart by shape.
  const rule = makeRule(machine as unknown as Machine, numbers)
  const windowMs = machine.span && numbers.refill === 0 ? Number.POSITIVE_INFINITY : rule.spanMicros / 1000
  const policy = { algorithm: machine.algorithm, limit: rule.limit, windowMs }
  return Object.freeze(Object.defineProperty(policy, RULE, { value: rule }))
}

/** A limit, capacity, burst, rate or refill. @throws PolicyError `ERR_HEADGATE_LIMIT` */
export function limitOf(field: string, value: unknown, max: number = MAX_LIMIT): number {
  return whole('ERR_HEADGATE_LIMIT', field, value, 0, max)
}

/** A window or period in microseconds. @throws PolicyError `ERR_HEADGATE_DURATION` */
export function windowMicrosOf(field: string, value: unknown): number {
  return durationMs(field, value) * 1000
}

/** A whole number in a range, or the error that says which. */
export function whole(code: ErrorCode, field: string, value: unknown, min: number, max: number): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
  throw new PolicyError(code, field, value, `must be a whole number from ${min} to ${max}`)
}

/** Refuses what is not an object, and fields that don't exist: a misspelt option must not be silently the default. */
export function checkFields(options: unknown, owner: string, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new PolicyError('ERR_HEADGATE_OPTION', owner, options, `needs an object with ${known.join(', ')}`)
  }
  for (const field of Object.keys(options)) {
    if (!known.includes(field)) {
      const value = (options as Record<string, unknown>)[field]
      throw new PolicyError(
        'ERR_HEADGATE_OPTION',
        field,
        value,
        `is not an option of ${owner}, which has ${known.join(', ')}`,
      )
    }
  }
}

/** One of a few words, or undefined for the default. */
export function oneOf<T>(field: string, value: unknown, words: readonly T[], fallback: T): T {
  if (value === undefined) return fallback
  if (words.includes(value as T)) return value as T
  throw new PolicyError(
    'ERR_HEADGATE_OPTION',
    field,
    value,
    `must be ${words.map((word) => JSON.stringify(word)).join(' or ')}`,
  )
}
