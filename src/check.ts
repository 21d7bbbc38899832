import { NEVER } from './clock.ts'
import type { Entry } from './entry.ts'
import { PolicyError, ReceiptError, show } from './errors.ts'
import { storedKey } from './key.ts'
import { anything, fieldsOf, isWhole, type Reader, readOptions, whole } from './options.ts'
import {
  MAX_KEEP_MICROS,
  MAX_LIMIT,
  type Machine,
  makeRule,
  type Policy,
  type Rule,
  type RuleNumbers,
  ruleOf,
} from './policy.ts'
import type { ReceiptPart } from './receipt.ts'
import type { EntryMark } from './stores/store.ts'

/** Several policies by name. */
export type Policies = { readonly [name: string]: Policy }

/** One key for one policy; else a key for each policy by name, undefined where it does not apply. */
export type KeyOf<P> = P extends Policy ? string : { readonly [K in keyof P]: string | undefined }

/** The names that decisions of these policies carry. */
export type NameOf<P> = P extends Policy ? string : Extract<keyof P, string>

/** Options of one call. */
export interface TakeOptions<P> {
  /** Whole units, default 1. A cost of 0 charges nothing and answers what a `peek` would. */
  readonly cost?: number
  /**
   * In place of the declared policy, for this call: a plan, a tenant. Another limit, capacity or burst is held against the same use; any
   * other change is another state.
   */
  readonly policy?: P extends Policy ? Policy : { readonly [K in keyof P]?: Policy }
}

/** What a call asks of the store: the policies that apply, and at which cost. */
export interface Check {
  readonly entries: readonly Entry[]
  readonly cost: number
}

/** The options of a call, by the readers that know them. */
export type CallSchema = { readonly policy: Reader<unknown>; readonly cost?: Reader<number> }

/** The highest cost that can be told. */
export const MAX_COST: number = Number.MAX_SAFE_INTEGER

/** Whole units. @throws PolicyError `ERR_HEADGATE_COST` */
export function unitsUpTo(max: number, fallback?: number): Reader<number> {
  return whole('ERR_HEADGATE_COST', 0, max, fallback)
}

export const POLICY_ONLY: CallSchema = { policy: anything }
export const TAKE: CallSchema = { cost: /* @__PURE__ */ unitsUpTo(MAX_COST, 1), policy: anything }

/** Of a call without options. */
const NONE = {}
/** The name of the policy of a limiter that has but one. */
const ONLY = 'default'

/** A policy as it was declared, with what every check of it needs. */
interface Declared extends Omit<Entry, 'key'> {
  /** Limiter and policy; with a shape behind it, the identity of the states. */
  readonly prefix: string
}

/** A limiter's policies, ready to make checks of. */
export class Checker {
  readonly #declared: Declared[]
  readonly #names: string[]
  /** The policy of a limiter that has but one. */
  readonly #only: Declared | undefined
  readonly #machines = new Map<string, Machine>()

  constructor(limiter: string, { policy, policies }: { policy?: unknown; policies?: unknown }) {
    const isSingle = policy !== undefined
    const declared = declaredPolicies(policy, policies)
    this.#names = Object.keys(declared)
    this.#declared = Object.entries(declared).map(([name, one]) => {
      const rule = this.#rule(one, isSingle ? 'policy' : `policies.${name}`)
      const prefix = JSON.stringify([limiter, name])
      return { policy: name, rule, prefix, identity: prefix + rule.shape }
    })
    this.#only = isSingle ? this.#declared[0] : undefined
  }

  /**
   * Validates a key and a call's options.
   *
   * @throws PolicyError for a missing or unknown key, an unknown option or something that is no policy.
   */
  check(key: unknown, options: unknown, schema: CallSchema): Check {
    const { policy, cost = 1 }: { policy?: unknown; cost?: number } =
      options === undefined ? NONE : readOptions('options', options, schema as Required<CallSchema>)
    const only = this.#only
    return { entries: only ? [this.#entry(only, key, policy, '')] : this.#entries(key, policy), cost }
  }

  #entries(key: unknown, policy: unknown): Entry[] {
    const keys = fieldsOf('ERR_HEADGATE_KEY', 'key', key, this.#names, 'key.')
    const others =
      policy !== undefined && fieldsOf('ERR_HEADGATE_POLICY', 'policy', policy, this.#names, 'policy.')
    const entries: Entry[] = []
    for (const declared of this.#declared) {
      const { policy: name } = declared
      const one = own(keys, name)
      if (one !== undefined)
        entries.push(this.#entry(declared, one, others ? own(others, name) : undefined, `.${name}`))
    }
    if (entries.length > 0) return entries
    throw new PolicyError('ERR_HEADGATE_KEY', 'key', key, `needs one at least of ${this.#names.join(', ')}`)
  }

  /**
   * Where the charges of a receipt stand.
   *
   * @throws ReceiptError for a policy that this limiter has not got, or an algorithm that none of its policies had so far.
   */
  marks(parts: readonly ReceiptPart[]): EntryMark[] {
    return parts.map(([policy, shape, key, limit, generation, chargedAtMicros, resetAtMicros]) => {
      const declared = this.#declared.find((one) => one.policy === policy)
      const rule = ruleOfShape(this.#machines, shape, limit)
      if (!declared || !rule)
        throw new ReceiptError(`the receipt is of the policy ${show(policy)}, which the limiter has not got`)
      const entry = { policy, identity: declared.prefix + shape, key, rule }
      return { entry, generation, chargedAtMicros, resetAtMicros: resetAtMicros ?? NEVER }
    })
  }

  /** What makes two limiters of one name the same: their policies, by name, with shapes and limits. */
  get signature(): string {
    return JSON.stringify(this.#declared.map(({ identity, rule }) => [identity, rule.limit]).sort())
  }

  /** One policy's part of a check; `at` is where it stands in what was handed over. */
  #entry({ policy, prefix, identity, rule }: Declared, key: unknown, other: unknown, at: string): Entry {
    const stored = storedKey(key, at)
    if (other === undefined) return { policy, identity, key: stored, rule }
    const own = this.#rule(other, `policy${at}`)
    return { policy, identity: prefix + own.shape, key: stored, rule: own }
  }

  /** A policy of a call may bring an algorithm that none was declared with; a receipt of it must find its machine. */
  #rule(policy: unknown, field: string): Rule {
    const rule = ruleOf(policy, field)
    this.#machines.set(rule.machine.algorithm, rule.machine)
    return rule
  }
}

function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** The rule that a shape was made from; undefined if its algorithm is not at hand, or there is no such shape. */
function ruleOfShape(machines: ReadonlyMap<string, Machine>, shape: string, limit: number): Rule | undefined {
  const [algorithm = '', windowMicros, refill, variant] = shape.split(':')
  const machine = machines.get(algorithm)
  const numbers = {
    limit,
    windowMicros: Number(windowMicros),
    refill: Number(refill),
    variant,
  } as RuleNumbers
  const rule = machine && makeRule(machine, numbers)
  const isSound =
    isWhole(numbers.windowMicros, 1000, MAX_KEEP_MICROS) && isWhole(numbers.refill, 0, MAX_LIMIT)
  return isSound && rule?.shape === shape ? rule : undefined
}

function declaredPolicies(policy: unknown, policies: unknown): object {
  if (policy !== undefined && policies === undefined) return { [ONLY]: policy }
  if (policy === undefined && typeof policies === 'object' && policies && Object.keys(policies).length > 0) {
    return policies
  }
  throw new PolicyError(
    'ERR_HEADGATE_OPTION',
    'policies',
    policies,
    'must be an object with a policy by name, in place of policy',
  )
}
