import { PolicyError } from 'headgate'
import { type DeclaredPolicy, declare, LIMIT_FIELD } from '../config/declared-policy.ts'
import { ALGORITHM_NAMES, type AlgorithmName, type PolicyEntry } from '../config/policy-schema.ts'
import { badDuration, refuseBareNumber } from '../duration-option.ts'
import { usageFailure } from '../failure.ts'
import { printable } from '../text.ts'

/** The options that together name one policy, as they were typed. */
export interface PolicyOptions {
  readonly algorithm?: string
  readonly limit?: string
  readonly window?: string
  readonly capacity?: string
  readonly refill?: string
  readonly rate?: string
  readonly per?: string
  readonly burst?: string
  readonly align?: string
  readonly strict?: boolean
}

type Field = Exclude<keyof PolicyOptions, 'algorithm'>

interface Recipe {
  readonly needs: readonly Field[]
  readonly takes: readonly Field[]
  readonly entry: (read: Reader) => PolicyEntry
}

/** What each algorithm is asked for. The numbers themselves are judged by the library, whose rules they are. */
const RECIPES: Readonly<Record<AlgorithmName, Recipe>> = {
  'fixed-window': {
    needs: ['limit', 'window'],
    takes: ['align'],
    entry: (read) => ({
      algorithm: 'fixed-window',
      limit: read.number('limit'),
      window: read.duration('window'),
      align: read.align(),
    }),
  },
  'sliding-window': {
    needs: ['limit', 'window'],
    takes: ['strict'],
    entry: (read) => ({
      algorithm: 'sliding-window',
      limit: read.number('limit'),
      window: read.duration('window'),
      strict: read.strict(),
    }),
  },
  'sliding-log': {
    needs: ['limit', 'window'],
    takes: [],
    entry: (read) => ({
      algorithm: 'sliding-log',
      limit: read.number('limit'),
      window: read.duration('window'),
    }),
  },
  'token-bucket': {
    needs: ['capacity', 'refill', 'per'],
    takes: [],
    entry: (read) => ({
      algorithm: 'token-bucket',
      capacity: read.number('capacity'),
      refill: read.number('refill'),
      per: read.duration('per'),
    }),
  },
  gcra: {
    needs: ['rate', 'per', 'burst'],
    takes: [],
    entry: (read) => ({
      algorithm: 'gcra',
      rate: read.number('rate'),
      per: read.duration('per'),
      burst: read.number('burst'),
    }),
  },
  'leaky-bucket': {
    needs: ['rate', 'per'],
    takes: [],
    entry: (read) => ({ algorithm: 'leaky-bucket', rate: read.number('rate'), per: read.duration('per') }),
  },
}

/** The options of policies, without the dashes. */
export const FIELDS: readonly Field[] = [
  'limit',
  'window',
  'capacity',
  'refill',
  'rate',
  'per',
  'burst',
  'align',
  'strict',
]

/**
 * The policy that the options name; says which option is wanted, which is too much, or which value is wrong.
 *
 * @param limitIsSought The limit, capacity or burst may be left out: it is what the replay is to find.
 */
export function policyFromOptions(options: PolicyOptions, limitIsSought: boolean): DeclaredPolicy {
  const { algorithm } = options
  if (algorithm === undefined)
    throw usageFailure(
      `--algorithm is missing; it is one of ${ALGORITHM_NAMES.join(', ')}; or name a file with --config.`,
    )
  if (!isAlgorithm(algorithm)) {
    throw usageFailure(
      `--algorithm ${printable(algorithm, 40)} is not known; it is one of ${ALGORITHM_NAMES.join(', ')}.`,
    )
  }
  const sought = limitIsSought ? LIMIT_FIELD[algorithm] : undefined
  const known = sought === undefined ? options : { [sought]: '0', ...options }
  refuseMisfits(algorithm, RECIPES[algorithm], known)
  return made(() => declare(RECIPES[algorithm].entry(new Reader(known))))
}

function isAlgorithm(name: string): name is AlgorithmName {
  return Object.hasOwn(RECIPES, name)
}

function refuseMisfits(algorithm: string, recipe: Recipe, options: PolicyOptions): void {
  const missing = recipe.needs.filter((field) => options[field] === undefined)
  const may = recipe.takes.length > 0 ? `, and may take ${listed(recipe.takes)}` : ''
  const wants = `${algorithm} takes ${listed(recipe.needs)}${may}`
  const extra = FIELDS.filter((field) => options[field] !== undefined && !fits(recipe, field))
  if (extra.length > 0) {
    const verb = extra.length === 1 ? 'does' : 'do'
    const also = missing.length > 0 ? `; ${listed(missing)} ${are(missing)} missing` : ''
    throw usageFailure(`${listed(extra)} ${verb} not apply to ${algorithm}: ${wants}${also}.`)
  }
  if (missing.length > 0) throw usageFailure(`${listed(missing)} ${are(missing)} missing: ${wants}.`)
}

function fits(recipe: Recipe, field: Field): boolean {
  return recipe.needs.includes(field) || recipe.takes.includes(field)
}

function are(fields: readonly Field[]): string {
  return fields.length === 1 ? 'is' : 'are'
}

/** `--capacity, --refill and --per`. */
function listed(fields: readonly Field[]): string {
  const names = fields.map((field) => `--${field}`)
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

/** The library names the field it refuses; on a command line that is an option. */
function made<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    // The library's own sentence speaks of numbers, too, which have no unit here.
    const isDuration = error.code === 'ERR_HEADGATE_DURATION'
    throw isDuration
      ? badDuration(error.field, String(error.value))
      : usageFailure(`--${printable(error.message, 400)}.`)
  }
}

class Reader {
  readonly #options: PolicyOptions

  constructor(options: PolicyOptions) {
    this.#options = options
  }

  number(field: Exclude<Field, 'strict'>): number {
    const text = this.#options[field] ?? ''
    if (!/^[+-]?\d+(\.\d+)?(e\+?\d+)?$/i.test(text)) {
      throw usageFailure(
        `--${field} must be a number such as 100; it is ${JSON.stringify(printable(text, 40))}.`,
      )
    }
    return Number(text)
  }

  duration(field: 'window' | 'per'): string {
    const text = this.#options[field] ?? ''
    refuseBareNumber(field, text)
    return text
  }

  align(): 'first' | 'epoch' {
    const { align = 'first' } = this.#options
    if (align === 'first' || align === 'epoch') return align
    throw usageFailure(`--align must be first or epoch; it is ${JSON.stringify(printable(align, 40))}.`)
  }

  strict(): boolean {
    return this.#options.strict ?? false
  }
}
