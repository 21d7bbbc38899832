import { type ErrorCode, PolicyError, ReceiptError, show } from './errors.ts'
import { storedKey } from './key.ts'
import {
  checkFields,
  type Machine,
  makeRule,
  type Policy,
  type Rule,
  type RuleNumbers,
  ruleOf,
  whole,
} from './policy.ts'
import type { Receipt, ReceiptPart } from './receipt.ts'
import type { Entry, Refund } from './stores/store.ts'

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

/** What a call asks of the store: the policies that apply, under which names, and at which cost. */
export interface Check {
  readonly names: readonly string[]
  readonly entries: readonly Entry[]
  readonly cost: number
}

/** The name of the policy of a limiter that has but one. */
const ONLY = 'default'

/** A policy as it was declared, with what every check of it needs. */
interface Declared {
  readonly name: string
  readonly rule: Rule
  /** Limiter and policy; with a shape behind it, the identity of the states. */
  readonly prefix: string
  readonly identity: string
}

/** A limiter's policies, ready to make checks of. */
export class Checker {
  readonly #declared = new Map<string, Declared>()
  readonly #single: boolean
  readonly #machines = new Map<string, Machine>()

  constructor(limiter: string, options: { policy?: unknown; policies?: unknown }) {
    this.#single = options.policy !== undefined
    for (const [name, policy] of Object.entries(declaredPolicies(options))) {
      const rule = ruleOf(policy, this.#single ? 'policy' : `policies.${name}`)
      const prefix = JSON.stringify([limiter, name])
      this.#declared.set(name, { name, rule, prefix, identity: prefix + rule.shape })
      this.#machines.set(rule.machine.algorithm, rule.machine)
    }
  }

  /**
   * Validates a key and a call's options.
   *
   * @throws PolicyError for a missing or unknown key, an unknown option or something that is no policy.
   */
  check(key: unknown, options: unknown, known: readonly string[]): Check {
    if (options !== undefined) checkFields(options, 'options', known)
    const { policy, cost } = (options ?? {}) as { policy?: unknown; cost?: unknown }
    const units = cost === undefined ? 1 : unitsOf('cost', cost, Number.MAX_SAFE_INTEGER)
    if (!this.#single) return this.#composed(key, policy, units)
    const entry = this.#entry(this.#declared.get(ONLY) as Declared, key, policy, '')
    return { names: [ONLY], entries: [entry], cost: units }
  }

  /**
   * The parts of a receipt, as the store knows them.
   *
   * @throws ReceiptError for a policy that this limiter has not got, or an algorithm that none of its policies had so far.
   */
  parts(receipt: Receipt): Refund['parts'] {
    return receipt.parts.map((part) => {
      const declared = this.#declared.get(part.policy)
      const rule = ruleOfShape(this.#machines, part)
      if (declared && rule) return { identity: declared.prefix + rule.shape, key: part.key, rule, mark: part }
      throw new ReceiptError(`the receipt is of a policy that this limiter has not got: ${show(part.policy)}`)
    })
  }

  /** What makes two limiters of one name the same: their policies, by name, with shapes and limits. */
  get signature(): string {
    return JSON.stringify(
      Array.from(this.#declared.values(), ({ identity, rule }) => [identity, rule.limit]).sort(),
    )
  }

  #composed(key: unknown, policy: unknown, cost: number): Check {
    const keys = this.#named(key, 'key', 'ERR_HEADGATE_KEY')
    const policies = policy === undefined ? undefined : this.#named(policy, 'policy', 'ERR_HEADGATE_POLICY')
    const names: string[] = []
    const entries: Entry[] = []
    for (const [name, declared] of this.#declared) {
      const one = own(keys, name)
      if (one === undefined) continue
      names.push(name)
      entries.push(this.#entry(declared, one, policies && own(policies, name), `.${name}`))
    }
    if (entries.length > 0) return { names, entries, cost }
    throw new PolicyError('ERR_HEADGATE_KEY', 'key', key, `needs a key for at least one of ${this.#known()}`)
  }

  /** One policy's part of a check; `at` is where it stands in what was handed over. */
  #entry({ prefix, identity, rule }: Declared, key: unknown, policy: unknown, at: string): Entry {
    const stored = storedKey(key, `key${at}`)
    if (policy === undefined) return { identity, key: stored, rule }
    const other = ruleOf(policy as Policy, `policy${at}`)
    // A policy of a call may bring an algorithm that none was declared with; a receipt of it must find its machine.
    this.#machines.set(other.machine.algorithm, other.machine)
    return { identity: prefix + other.shape, key: stored, rule: other }
  }

  /** An object by policy name: a misspelt name must not be a limit that silently does not apply. */
  #named(value: unknown, field: string, code: ErrorCode): object {
    if (typeof value !== 'object' || value === null) {
      throw new PolicyError(code, field, value, `must be an object by policy name, of ${this.#known()}`)
    }
    for (const name of Object.keys(value)) {
      if (this.#declared.has(name)) continue
      throw new PolicyError(
        code,
        `${field}.${name}`,
        own(value, name),
        `names no policy; there is ${this.#known()}`,
      )
    }
    return value
  }

  #known(): string {
    return [...this.#declared.keys()].join(', ')
  }
}

function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** The rule that a shape was made from; undefined if its algorithm is not at hand, or there is no such shape. */
function ruleOfShape(
  machines: ReadonlyMap<string, Machine>,
  { shape, limit }: ReceiptPart,
): Rule | undefined {
  const [algorithm = '', windowMicros, refill, variant] = shape.split(':')
  const machine = machines.get(algorithm)
  const numbers = {
    limit,
    windowMicros: Number(windowMicros),
    refill: Number(refill),
    variant,
  } as RuleNumbers
  const rule = machine && makeRule(machine, numbers)
  return rule && rule.shape === shape && numbers.windowMicros > 0 ? rule : undefined
}

/** @throws PolicyError `ERR_HEADGATE_COST` for anything but whole units. */
export function unitsOf(field: string, value: unknown, max: number): number {
  return whole('ERR_HEADGATE_COST', field, value, 0, max)
}

function declaredPolicies({ policy, policies }: { policy?: unknown; policies?: unknown }): Policies {
  if ((policy === undefined) === (policies === undefined)) {
    throw new PolicyError(
      'ERR_HEADGATE_OPTION',
      'policy',
      policy,
      'or else policies must be given, one of the two',
    )
  }
  if (policy !== undefined) return { [ONLY]: policy as Policy }
  if (typeof policies !== 'object' || policies === null || Object.keys(policies).length === 0) {
    throw new PolicyError(
      'ERR_HEADGATE_OPTION',
      'policies',
      policies,
      'must be an object with a policy by name',
    )
  }
  return policies as Policies
}
