import { Limiter, type MemoryStore, type Policies, type Policy } from 'headgate'
import type { DeclaredPolicies } from '../config/config.ts'
import { printable } from '../text.ts'
import { decisionJson } from './decision-json.ts'
import { ProblemError } from './problems.ts'
import type { DecisionBody } from './schemas.ts'

/** What a check comes to, whichever way it was asked. */
export interface Question {
  readonly keys: Readonly<Record<string, string>>
  readonly cost: number
  readonly limits: Readonly<Record<string, Policy>> | undefined
}

/** Stands between a name and the receipt that its limiter gave out. No name holds a colon. */
export const RECEIPT_MARK = ':'
const SHOWN_NAMES = 10

/** A name that can be asked for, and the library's limiter that decides for it. */
export class Section {
  readonly name: string
  readonly declared: DeclaredPolicies
  readonly limiter: Limiter<Policies>

  constructor(name: string, declared: DeclaredPolicies, store: MemoryStore) {
    this.name = name
    this.declared = declared
    const policies = Object.fromEntries([...declared].map(([policy, one]) => [policy, one.policy]))
    this.limiter = new Limiter<Policies>({ name, store, policies })
  }

  async take({ keys, cost, limits }: Question): Promise<DecisionBody> {
    const { decision, receipt } = await this.limiter.reserve(keys, optionsOf(cost, limits))
    return decisionJson(decision, receipt === undefined ? undefined : `${this.name}${RECEIPT_MARK}${receipt}`)
  }

  async peek({ keys, cost, limits }: Question): Promise<DecisionBody> {
    return decisionJson(await this.limiter.peek(keys, optionsOf(cost, limits)))
  }

  /** The keys that apply. @throws ProblemError for a name that no policy has, and where none applies. */
  keysOf(keys: Readonly<Record<string, string | null>>): Record<string, string> {
    const applied: [string, string][] = []
    for (const [name, key] of Object.entries(keys)) {
      this.#known(name, 'keys')
      if (key !== null) applied.push([name, key])
    }
    if (applied.length > 0) return Object.fromEntries(applied)
    throw new ProblemError(
      'invalid-request',
      `"keys" must hold a key for at least one of ${listed(this.declared.keys())}.`,
      '/keys',
    )
  }

  /** The policies with the limits that a request asks for. @throws ProblemError for one that is not declared, or above what is. */
  limitsOf(limits: Readonly<Record<string, number>>): Record<string, Policy> {
    return Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => {
        this.#known(name, 'limits')
        return [name, this.withLimit(name, limit, `/limits/${name}`)]
      }),
    )
  }

  /** The policy of this name with another limit; `pointer` is where the request asks for it. */
  withLimit(name: string, limit: number, pointer: string): Policy {
    const { maxLimit, withLimit } = this.declared.get(name) ?? {}
    if (maxLimit !== undefined && withLimit && limit <= maxLimit) return withLimit(limit)
    const detail =
      maxLimit === undefined
        ? `Policy "${name}" declares no maxLimit, so that no request may bring a limit of its own.`
        : `The limit must be at most ${maxLimit}, the maxLimit of policy "${name}"; it is ${limit}.`
    throw new ProblemError('limit-refused', detail, pointer)
  }

  /** A misspelt name must not be a limit that silently does not apply. */
  #known(policy: string, field: string): void {
    if (this.declared.has(policy)) return
    const shown = JSON.stringify(printable(policy, 64))
    throw new ProblemError(
      'invalid-request',
      `${shown} in "${field}" is no policy of limiter "${this.name}", which has ${listed(this.declared.keys())}.`,
      `/${field}/${policy.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    )
  }
}

function optionsOf(cost: number, policy: Question['limits']) {
  return policy ? { cost, policy } : { cost }
}

/** Names in a sentence, the first few of many. */
export function listed(all: Iterable<string>): string {
  const names = [...all]
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : ''
  return names.length === 0 ? 'none' : `${names.slice(0, SHOWN_NAMES).join(', ')}${more}`
}
