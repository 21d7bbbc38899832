import {
  type Duration,
  fixedWindow,
  gcra,
  leakyBucket,
  type Policy,
  PolicyError,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from 'headgate'
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
  readonly make: (read: Reader) => Policy
}

/** What each algorithm is asked for. The numbers themselves are judged by the library, whose rules they are. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'fixed-window': {
    needs: ['limit', 'window'],
    takes: ['align'],
    make: (read) =>
      fixedWindow({ limit: read.number('limit'), window: read.duration('window'), align: read.align() }),
  },
  'sliding-window': {
    needs: ['limit', 'window'],
    takes: ['strict'],
    make: (read) =>
      slidingWindow({ limit: read.number('limit'), window: read.duration('window'), strict: read.strict() }),
  },
  'sliding-log': {
    needs: ['limit', 'window'],
    takes: [],
    make: (read) => slidingLog({ limit: read.number('limit'), window: read.duration('window') }),
  },
  'token-bucket': {
    needs: ['capacity', 'refill', 'per'],
    takes: [],
    make: (read) =>
      tokenBucket({
        capacity: read.number('capacity'),
        refill: read.number('refill'),
        per: read.duration('per'),
      }),
  },
  gcra: {
    needs: ['rate', 'per', 'burst'],
    takes: [],
    make: (read) =>
      gcra({ rate: read.number('rate'), per: read.duration('per'), burst: read.number('burst') }),
  },
  'leaky-bucket': {
    needs: ['rate', 'per'],
    takes: [],
    make: (read) => leakyBucket({ rate: read.number('rate'), per: read.duration('per') }),
  },
}

/** The names `--algorithm` knows, in the order to show them. */
export const algorithms: readonly string[] = Object.keys(RECIPES)

const FIELDS: readonly Field[] = [
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

/** The policy that the options name; says which option is wanted, which is too much, or which value is wrong. */
export function policyFromOptions(options: PolicyOptions): Policy {
  const { algorithm } = options
  if (algorithm === undefined)
    throw usageFailure(`--algorithm is missing; it is one of ${algorithms.join(', ')}.`)
  const recipe = Object.hasOwn(RECIPES, algorithm) ? RECIPES[algorithm] : undefined
  if (!recipe) {
    throw usageFailure(
      `--algorithm ${printable(algorithm, 40)} is not known; it is one of ${algorithms.join(', ')}.`,
    )
  }
  refuseMisfits(algorithm, recipe, options)
  return made(() => recipe.make(new Reader(options)))
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
function made(make: () => Policy): Policy {
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

  duration(field: 'window' | 'per'): Duration {
    const text = this.#options[field] ?? ''
    refuseBareNumber(field, text)
    return text as Duration
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
