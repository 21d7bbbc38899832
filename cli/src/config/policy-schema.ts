import { type Static, type TProperties, Type } from '@sinclair/typebox'

/** The largest limit, capacity, burst, rate or refill; a sliding log keeps every entry, so its limit is lower. */
const MAX_LIMIT = 1_000_000_000
const MAX_LOG_LIMIT = 1_000_000

/*
 * Each field's `title` is its rule, worded to follow "must be": errors quote it, and so does the reference.
 */

/** The format whose judge is the library. */
export const DURATION_FORMAT = 'headgate-duration'

const Units = (description: string, maximum = MAX_LIMIT) =>
  Type.Integer({ minimum: 0, maximum, title: `a whole number from 0 to ${maximum}`, description })

const Period = (description: string) =>
  Type.String({
    format: DURATION_FORMAT,
    title: 'a duration with its unit, such as 250ms, 90s or 15m, of whole milliseconds from 1ms to 366d',
    description,
  })

const MaxLimit = (of: string, maximum = MAX_LIMIT) =>
  Type.Optional(Units(`The highest ${of} that a request may ask for; without it none may.`, maximum))

const Declared = <const A extends string, P extends TProperties>(algorithm: A, fields: P) =>
  Type.Object(
    { algorithm: Type.Literal(algorithm, { title: algorithm }), ...fields },
    { title: `the fields of a ${algorithm}`, additionalProperties: false },
  )

const FixedWindow = Declared('fixed-window', {
  limit: Units('Units a window.'),
  window: Period('How long a window is.'),
  align: Type.Optional(
    Type.Unsafe<'first' | 'epoch'>({
      type: 'string',
      enum: ['first', 'epoch'],
      title: 'first or epoch',
      description: 'Whether a window starts at its first charge (the default) or at multiples of its length.',
    }),
  ),
  maxLimit: MaxLimit('limit'),
})

const SlidingWindow = Declared('sliding-window', {
  limit: Units('Units a window.'),
  window: Period('How long a window is.'),
  strict: Type.Optional(
    Type.Boolean({
      title: 'true or false',
      description: 'Whether the weighed use is rounded up; false by default.',
    }),
  ),
  maxLimit: MaxLimit('limit'),
})

const SlidingLog = Declared('sliding-log', {
  limit: Units('Units in any stretch as long as the window.', MAX_LOG_LIMIT),
  window: Period('How long a window is.'),
  maxLimit: MaxLimit('limit', MAX_LOG_LIMIT),
})

const TokenBucket = Declared('token-bucket', {
  capacity: Units('The most units at once.'),
  refill: Units('Units that come back each period; with 0 the first fill is all there is.'),
  per: Period('The period of the refill.'),
  maxLimit: MaxLimit('capacity'),
})

const Gcra = Declared('gcra', {
  rate: Units('Units each period, evenly spaced; with 0 the first burst is all there is.'),
  per: Period('The period of the rate.'),
  burst: Units('The most units at once.'),
  maxLimit: MaxLimit('burst'),
})

const LeakyBucket = Declared('leaky-bucket', {
  rate: Units('Units each period, one at a time.'),
  per: Period('The period of the rate.'),
})

/** What a policy looks like in a file, by its algorithm. */
export const POLICY_SCHEMAS = {
  'fixed-window': FixedWindow,
  'sliding-window': SlidingWindow,
  'sliding-log': SlidingLog,
  'token-bucket': TokenBucket,
  gcra: Gcra,
  'leaky-bucket': LeakyBucket,
} as const

export type AlgorithmName = keyof typeof POLICY_SCHEMAS
export type PolicyEntry = Static<(typeof POLICY_SCHEMAS)[AlgorithmName]>

/** The names an `algorithm` can have, in the order to show them. */
export const ALGORITHM_NAMES = Object.keys(POLICY_SCHEMAS) as readonly AlgorithmName[]
