import type { Policies } from 'headgate'
import type { DeclaredPolicy } from './declared-policy.ts'

export type DeclaredPolicies = ReadonlyMap<string, DeclaredPolicy>

/** What there is to decide by: policies asked for one at a time, and limiters that ask several at once. No name is in both. */
export interface Config {
  readonly policies: DeclaredPolicies
  readonly limiters: ReadonlyMap<string, DeclaredPolicies>
}

/** Every policy of a config by one name: its own, or `limiter/policy` where it belongs to a limiter. */
export function policiesOf({ policies, limiters }: Config): DeclaredPolicies {
  const all = new Map(policies)
  for (const [limiter, own] of limiters) for (const [name, one] of own) all.set(`${limiter}/${name}`, one)
  return all
}

/** A config of policies that were made in code: no request may change their limits. */
export function configOf(policies: Policies): Config {
  const declared = Object.entries(policies).map(([name, policy]): [string, DeclaredPolicy] => [
    name,
    { entry: undefined, policy, maxLimit: undefined, withLimit: () => policy },
  ])
  return { policies: new Map(declared), limiters: new Map() }
}
