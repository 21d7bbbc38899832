import type { Config, DeclaredPolicies } from '../config/config.ts'
import { describePolicy } from '../describe-policy.ts'
import { version } from '../version.ts'

/** What it says when it listens. */
export function greeting(
  origin: string,
  config: Config,
  { bold, hasTokens }: { readonly bold: (text: string) => string; readonly hasTokens: boolean },
): string {
  const token = hasTokens ? [`    -H 'authorization: Bearer TOKEN' \\`] : []
  const limiters = [...config.limiters].flatMap(([name, own]) => [
    `  limiter ${name}:`,
    ...lines(own, '    '),
  ])
  return [
    `Headgate ${version} decides on ${bold(origin)}`,
    ...lines(config.policies, '  policy '),
    ...limiters,
    'Try:',
    `  curl -s ${origin}/v1/take -H 'content-type: application/json' \\`,
    ...token,
    `    -d '${JSON.stringify(exampleCheck(config))}'`,
    'Ctrl-C ends it.',
    '',
  ].join('\n')
}

/** A check that this config can answer, to begin with. */
export function exampleCheck({ policies, limiters }: Config): object {
  const [policy] = policies.keys()
  if (policy !== undefined) return { policy, key: 'user:42' }
  const [first] = limiters
  const [limiter, own] = first ?? ['', new Map()]
  return { limiter, keys: Object.fromEntries([...own.keys()].map((name) => [name, 'user:42'])) }
}

function lines(policies: DeclaredPolicies, indent: string): string[] {
  return [...policies].map(
    ([name, { policy }]) => `${indent}${name}: ${policy.algorithm}, ${describePolicy(policy)}`,
  )
}
