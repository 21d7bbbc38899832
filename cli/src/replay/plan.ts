import type { DeclaredPolicy } from '../config/declared-policy.ts'
import type { PolicyEntry } from '../config/policy-schema.ts'
import { readPolicies } from '../config/read-config.ts'
import { durationOption } from '../duration-option.ts'
import { usageFailure } from '../failure.ts'
import { printable } from '../text.ts'
import { keyChoice } from './key-choice.ts'
import type { PassOptions } from './log-pass.ts'
import { FIELDS, type PolicyOptions, policyFromOptions } from './policy-options.ts'
import type { Tolerance } from './suggest.ts'

/** The options of `headgate replay`, as they were typed. */
export interface ReplayOptions extends PolicyOptions {
  readonly config?: string
  readonly policy?: string
  readonly key: string
  readonly free?: string
  readonly compare?: boolean
  readonly suggest?: string
  readonly of?: string
  readonly horizon: string
  readonly json?: boolean
}

/** What a replay is to do. */
export interface Plan extends PassOptions {
  readonly declared: DeclaredPolicy
  readonly entry: PolicyEntry
  /** The name that a config has for the policy. */
  readonly policyName: string | undefined
  readonly compares: boolean
  /** What a limit is sought for. */
  readonly tolerance: Tolerance | undefined
  /** Whether the policy came with a limit; else one is sought. */
  readonly hasLimit: boolean
}

/** All options looked at before anything is read. */
export async function planFrom(options: ReplayOptions): Promise<Plan> {
  const tolerance = toleranceOf(options)
  if (tolerance && options.compare)
    throw usageFailure('--compare and --suggest are two questions: ask them one at a time.')
  const pass = {
    key: keyChoice(options.key),
    free: statuses(options.free),
    horizonMs: durationOption('horizon', options.horizon),
  }
  const declared = await declaredBy(options, tolerance !== undefined)
  const { entry } = declared
  if (!entry) throw new Error('a policy of a config or of options has its numbers')
  if (tolerance && entry.algorithm === 'leaky-bucket') {
    throw usageFailure(
      '--suggest seeks a limit, a capacity or a burst, and a leaky-bucket has none: take gcra with --rate and --per.',
    )
  }
  return {
    ...pass,
    declared,
    entry,
    policyName: options.policy,
    compares: options.compare ?? false,
    tolerance,
    hasLimit: options.config !== undefined || [options.limit, options.capacity, options.burst].some(Boolean),
  }
}

async function declaredBy(options: ReplayOptions, limitIsSought: boolean): Promise<DeclaredPolicy> {
  const { config, policy } = options
  if (config === undefined) {
    if (policy !== undefined)
      throw usageFailure('--policy names a policy of a file: name the file with --config.')
    return policyFromOptions(options, limitIsSought)
  }
  const misfit = (['algorithm', ...FIELDS] as const).find((field) => options[field] !== undefined)
  if (misfit) throw usageFailure(`--${misfit} does not go with --config: the file says it all.`)
  const policies = await readPolicies(config)
  const [only] = policies.size === 1 ? policies.keys() : []
  const name = policy ?? only
  const found = name === undefined ? undefined : policies.get(name)
  if (found) return found
  const file = printable(config, 120)
  const names = [...policies.keys()].join(', ')
  throw usageFailure(
    name === undefined
      ? `${file} has several policies; --policy names one: ${names}.`
      : `--policy ${printable(name, 80)} is not in ${file}, which has ${names}.`,
  )
}

function statuses(text: string | undefined): ReadonlySet<number> {
  const parts = text === undefined ? [] : text.split(',').map((part) => part.trim())
  const wrong = parts.find((part) => !/^[1-9]\d\d$/.test(part))
  if (wrong === undefined) return new Set(parts.map(Number))
  throw usageFailure(
    `--free must be HTTP statuses with commas, such as 304,404; there is ${JSON.stringify(printable(wrong, 40))}.`,
  )
}

function toleranceOf({ suggest, of = 'requests' }: ReplayOptions): Tolerance | undefined {
  if (of !== 'requests' && of !== 'keys')
    throw usageFailure(`--of must be requests or keys; it is ${JSON.stringify(printable(of, 40))}.`)
  return suggest === undefined ? undefined : { share: shareOf(suggest), of }
}

/** `0.01`, or `1%`. */
function shareOf(text: string): number {
  const [, digits, percent] = /^(\d*\.?\d+)(%?)$/.exec(text) ?? []
  // Moving the point is exact; a division is not.
  const share = digits === undefined ? Number.NaN : Number(percent ? `${digits}e-2` : digits)
  if (share >= 0 && share < 1) return share
  throw usageFailure(
    `--suggest must be a share from 0 to below 1, such as 0.01 or 1%; it is ${JSON.stringify(printable(text, 40))}.`,
  )
}
