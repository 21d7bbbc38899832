import { Ajv, type ValidateFunction } from 'ajv'
import type { Config, DeclaredPolicies } from './config.ts'
import { ConfigFile } from './config-schema.ts'
import { type DeclaredPolicy, declare, isDuration, LIMIT_FIELD } from './declared-policy.ts'
import {
  ALGORITHM_NAMES,
  type AlgorithmName,
  DURATION_FORMAT,
  POLICY_SCHEMAS,
  type PolicyEntry,
} from './policy-schema.ts'
import { pathOf, type SchemaFault, shownValue } from './schema-fault.ts'

/** One thing that is wrong: where in the value, and in words. */
export interface ConfigFault {
  readonly path: readonly string[]
  /** Whether the name of the value is meant, and not the value. */
  readonly isName: boolean
  readonly message: string
}

const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: false })
ajv.addFormat(DURATION_FORMAT, isDuration)
const checkFile = ajv.compile(ConfigFile)
const checkPolicy = Object.fromEntries(
  ALGORITHM_NAMES.map((name) => [name, ajv.compile(POLICY_SCHEMAS[name])]),
) as Record<AlgorithmName, ValidateFunction>

/** A config from the value of a file; or all that is wrong with it. */
export function checkConfig(value: unknown): { config: Config; faults: readonly ConfigFault[] } {
  const check = new Check()
  const file = check.file(value)
  const policies = check.policies(file.policies ?? {}, ['policies'])
  const limiters = new Map<string, DeclaredPolicies>()
  for (const [name, limiter] of entriesOf(file.limiters)) {
    const own = isObject(limiter) ? limiter['policies'] : undefined
    limiters.set(name, check.policies(own, ['limiters', name, 'policies']))
    if (!isObject(file.policies) || !Object.hasOwn(file.policies, name)) continue
    check.say(['limiters', name], 'must have a name of its own; a policy has it already', true)
  }
  if (check.faults.length === 0 && policies.size + limiters.size === 0) {
    check.say([], 'must hold at least one policy or limiter')
  }
  return { config: { policies, limiters }, faults: check.faults }
}

class Check {
  readonly faults: ConfigFault[] = []

  say(path: readonly string[], rule: string, isName = false): void {
    const message = `${path.length === 0 ? 'the file' : path.join('.')} ${rule}`
    if (!this.faults.some((fault) => fault.message === message)) this.faults.push({ path, isName, message })
  }

  file(value: unknown): { policies?: unknown; limiters?: unknown } {
    if (!checkFile(value)) for (const fault of checkFile.errors ?? []) this.#broken([], fault as SchemaFault)
    return isObject(value) ? value : {}
  }

  policies(value: unknown, path: readonly string[]): Map<string, DeclaredPolicy> {
    const declared = new Map<string, DeclaredPolicy>()
    for (const [name, entry] of entriesOf(value)) {
      const policy = this.#policy(entry, [...path, name])
      if (policy) declared.set(name, policy)
    }
    return declared
  }

  #policy(value: unknown, path: readonly string[]): DeclaredPolicy | undefined {
    const algorithm = isObject(value) ? value['algorithm'] : undefined
    // Said by the schema of the file.
    if (typeof algorithm !== 'string') return undefined
    if (!isAlgorithm(algorithm)) {
      this.say(
        [...path, 'algorithm'],
        `must be one of ${ALGORITHM_NAMES.join(', ')}; it is ${shownValue(algorithm)}`,
      )
      return undefined
    }
    this.#maxLimit(value as Readonly<Record<string, unknown>>, LIMIT_FIELD[algorithm], path)
    const check = checkPolicy[algorithm]
    if (check(value)) return declare(value as PolicyEntry)
    for (const fault of check.errors ?? []) this.#broken(path, fault as SchemaFault)
    return undefined
  }

  /** The one rule that spans two fields. */
  #maxLimit(
    entry: Readonly<Record<string, unknown>>,
    field: string | undefined,
    path: readonly string[],
  ): void {
    const { [field ?? '']: limit, maxLimit } = entry
    if (typeof limit !== 'number' || typeof maxLimit !== 'number' || maxLimit >= limit) return
    this.say([...path, 'maxLimit'], `must be at least ${limit}, the ${field} itself; it is ${maxLimit}`)
  }

  #broken(base: readonly string[], fault: SchemaFault): void {
    const { keyword, instancePath, params, parentSchema, data } = fault
    const path = [...base, ...pathOf(instancePath)]
    const named = (param: string): string[] => [...path, String(params[param])]
    if (keyword === 'required') {
      this.say(path, `has no ${missing(String(params['missingProperty']))}`)
    } else if (keyword === 'additionalProperties') {
      const known = Object.keys(parentSchema?.properties ?? {}).join(', ')
      this.say(named('additionalProperty'), `is not known here; there is ${known}`, true)
    } else if (keyword === 'propertyNames') {
      this.say(named('propertyName'), `is no name: it must ${parentSchema?.propertyNames?.title}`, true)
    } else if (fault.propertyName === undefined) {
      this.say(path, `must be ${parentSchema?.title}; it is ${shownValue(data)}`)
    }
  }
}

function missing(field: string): string {
  return field === 'algorithm'
    ? `algorithm, which is one of ${ALGORITHM_NAMES.join(', ')}`
    : `${field}, which it needs`
}

function isAlgorithm(name: string): name is AlgorithmName {
  return Object.hasOwn(POLICY_SCHEMAS, name)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}
