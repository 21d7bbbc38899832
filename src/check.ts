import { PolicyError, ReceiptError, show } from './errors.ts'
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

/** A limiter's policies, ready to make checks of. */
export class Checker {
  readonly declared: ReadonlyMap<string, Policy>
  readonly #single: boolean
  readonly #prefixes = new Map<string, string>()
  readonly #machines = new Map<string, Machine>()

  constructor(limiter: string, options: { policy?: unknown; policies?: unknown }) {
    this.#single = options.policy !== undefined
    this.declared = new Map(Object.entries(declaredPolicies(options)))
    for (const [name, policy] of this.declared) {
      this.#prefixes.set(name, JSON.stringify([limiter, name]))
      const { machine } = ruleOf(policy)
      this.#machines.set(machine.algorithm, machine)
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
    const checked = this.#single
      ? {
          names: [ONLY],
          entries: [this.#entry(ONLY, (policy ?? this.declared.get(ONLY)) as Policy, key, 'key')],
        }
      : this.#composed(
          this.#named(key, 'key', 'ERR_HEADGATE_KEY'),
          this.#named(policy ?? {}, 'policy', 'ERR_HEADGATE_POLICY'),
        )
    return { ...checked, cost: cost === undefined ? 1 : unitsOf('cost', cost, Number.MAX_SAFE_INTEGER) }
  }

  /**
   * The parts of a receipt, as the store knows them.
   *
   * @throws ReceiptError for a policy that this limiter has not got, or an algorithm that none of its policies had so far.
   */
  parts(receipt: Receipt): Refund['parts'] {
    return receipt.parts.map((part) => {
      const rule = ruleOfShape(this.#machines, part)
      if (!rule || !this.declared.has(part.policy)) {
        throw new ReceiptError(
          `the receipt is of a policy that this limiter has not got: ${show(part.policy)}`,
        )
      }
      return { identity: this.#identity(part.policy, rule.shape), key: part.key, rule, mark: part }
    })
  }

  /** What makes two limiters of one name the same: their policies, by name, with shapes and limits. */
  get signature(): string {
    const policies = [...this.declared].map(([name, policy]) => [name, ruleOf(policy).shape, policy.limit])
    return JSON.stringify(policies.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
  }

  /** The identity of a policy's states: limiter, policy, and all numbers but the limit. */
  #identity(name: string, shape: string): string {
    return this.#prefixes.get(name) + shape
  }

  #composed(keys: Record<string, unknown>, policies: Record<string, unknown>): Omit<Check, 'cost'> {
    const names: string[] = []
    const entries: Entry[] = []
    for (const [name, declared] of this.declared) {
      const key = keys[name]
      if (key === undefined) continue
      names.push(name)
      entries.push(this.#entry(name, (policies[name] ?? declared) as Policy, key, `key.${name}`))
    }
    if (entries.length > 0) return { names, entries }
    const known = [...this.declared.keys()].join(', ')
    throw new PolicyError(
      'ERR_HEADGATE_KEY',
      'key',
      keys,
      `must have a key for at least one policy of ${known}`,
    )
  }

  #entry(name: string, policy: Policy, key: unknown, field: string): Entry {
    const rule = ruleOf(policy, this.#single ? 'policy' : `policy.${name}`)
    // Policies of a call may bring algorithms that none was declared with; a receipt of theirs must find its machine.
    this.#machines.set(rule.machine.algorithm, rule.machine)
    return { identity: this.#identity(name, rule.shape), key: storedKey(key, field), rule }
  }

  /** An object by policy name: a misspelt name must not be a limit that silently does not apply. */
  #named(
    value: unknown,
    field: string,
    code: 'ERR_HEADGATE_KEY' | 'ERR_HEADGATE_POLICY',
  ): Record<string, unknown> {
    const known = [...this.declared.keys()].join(', ')
    if (typeof value !== 'object' || value === null) {
      throw new PolicyError(code, field, value, `must be an object by policy name, of ${known}`)
    }
    const own: Record<string, unknown> = Object.create(null)
    for (const [name, one] of Object.entries(value)) {
      if (!this.declared.has(name)) {
        throw new PolicyError(
          code,
          `${field}.${name}`,
          one,
          `names no policy of this limiter, which has ${known}`,
        )
      }
      own[name] = one
    }
    return own
  }
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
  if (policy !== undefined) {
    ruleOf(policy as Policy)
    return { [ONLY]: policy as Policy }
  }
  if (typeof policies !== 'object' || policies === null || Object.keys(policies).length === 0) {
    throw new PolicyError(
      'ERR_HEADGATE_OPTION',
      'policies',
      policies,
      'must be an object with at least one policy by name',
    )
  }
  for (const [name, one] of Object.entries(policies)) ruleOf(one, `policies.${name}`)
  return policies as Policies
}
