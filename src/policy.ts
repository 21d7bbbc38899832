import { NEVER } from './clock.ts'
import { durationMs } from './duration.ts'
import { PolicyError } from './errors.ts'
import { type Reader, whole } from './options.ts'

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

/** The largest limit, capacity, burst, rate or refill, and the most units of one charge after the fact. */
export const MAX_LIMIT = 1e9

/** The most units a window can hold in debt; more saturates here. */
export const MAX_USE: number = 2 ** 31 - 1

/** 366 days: the longest window, and how long a bucket that never refills is kept. */
export const MAX_KEEP_MICROS: number = 366 * 86_400_000_000

/** What every state holds. */
export interface State {
  /** The newest instant it knows: its window's start, its newest entry, its bucket's last charge. A clock behind it has gone back. */
  at: number
  /** How often a wrong clock was repaired, modulo 256. A receipt from before a repair is void. */
  generation: number
}

/** A state of constant size: with `at`, two more numbers say it all. */
export interface CountedState extends State {
  /** Whole units: of the window that `at` opens, or in use at `at`. */
  used: number
  /** What else there is: the previous window's units, or the fraction of a unit that a bucket has in use besides. */
  rest: number
}

/** A state with nothing in use. */
export function counted(at: number): CountedState {
  return { at, used: 0, rest: 0, generation: 0 }
}

/** Where and when a charge was put, so that a refund finds exactly that charge. */
export interface Mark {
  /** The instant of the entry or of the bucket's charge; the start of the window. */
  readonly chargedAtMicros: number
  /** The reset that was reported with the charge. */
  readonly resetAtMicros: number
  readonly generation: number
}

/**
 * An algorithm: functions over a state, an instant in whole microseconds, and whole units.
 *
 * The functions from `used` on are given a state that `settle` (`algorithms/settle.ts`) has brought to the instant that counts: hazards of
 * the clock repaired. Only `shift`, `charge` and `refund` change the state that they are given.
 */
export interface Machine<S extends State = State> {
  readonly algorithm: Algorithm
  /** A state that is opened at an instant, with nothing in use. */
  open(rule: Rule, atMicros: number): S
  /** Moves what a state knows of time besides `at`. */
  shift?(state: S, byMicros: number): void
  /** The state as it counts at an instant that is not before `at`: rolled into its window, refilled. */
  advance(rule: Rule, state: S, atMicros: number): S
  /** Whole units in use, rounded up (the counter: as its rule says). */
  used(rule: Rule, state: S, atMicros: number): number
  charge(rule: Rule, state: S, atMicros: number, units: number): void
  /** @returns How many units came back. */
  refund(rule: Rule, state: S, atMicros: number, mark: Mark, units: number): number
  /** The first instant from which no more than `units` are in use, if nothing more is charged: the reset, and every wait. */
  freeAt(rule: Rule, state: S, units: number): number
  /** Its state is no CountedState: a store keeps it as it is. */
  readonly whole?: true
  /** How far behind a state a clock may be; by default the window. */
  span?(numbers: RuleNumbers): number
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
export function ruleOf(policy: unknown, field: string): Rule {
  const rule = (policy as Made | null | undefined)?.[RULE]
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
  const shape = [machine.algorithm, windowMicros, refill, variant].join(':')
  return { ...numbers, machine, shape, spanMicros: machine.span ? machine.span(numbers) : windowMicros }
}

/** A policy around a rule. */
export function makePolicy<S extends State>(
  machine: Machine<S>,
  limit: number,
  windowMicros: number,
  variant: RuleNumbers['variant'] = '',
  refill?: number,
): Policy {
  // A machine is only ever given states of its own making: a store keeps them apart by shape.
  const rule = makeRule(machine as unknown as Machine, { limit, windowMicros, refill: refill ?? 0, variant })
  const windowMs = refill === 0 ? NEVER : rule.spanMicros / 1000
  const policy = { algorithm: machine.algorithm, limit, windowMs }
  return Object.freeze(Object.defineProperty(policy, RULE, { value: rule }))
}

/** A limit, capacity, burst, rate or refill. @throws PolicyError `ERR_HEADGATE_LIMIT` */
export const limitOf: Reader<number> = /* @__PURE__ */ whole('ERR_HEADGATE_LIMIT', 0, MAX_LIMIT)

/** A window or period, in microseconds. @throws PolicyError `ERR_HEADGATE_DURATION` */
export const microsOf: Reader<number> = (field, value) => durationMs(field, value) * 1000
