import fc from 'fast-check'
import type { PolicySpec, PolicySpecs } from '../oracle/index.ts'
import type {
  FixedWindowSpec,
  GcraSpec,
  LeakyBucketSpec,
  SlidingLogSpec,
  SlidingWindowSpec,
  TokenBucketSpec,
} from '../oracle/spec.ts'

const MOST_LIMIT = 1_000_000_000
const MOST_LOG_LIMIT = 1_000_000
const YEAR_MS = 366 * 86_400_000

/** Small limits often, so that edges are hit; now and then 0 and the largest. */
function limits(most: number = MOST_LIMIT): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 7, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 7, arbitrary: fc.integer({ min: 4, max: 20 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: most }) },
    { weight: 1, arbitrary: fc.constantFrom(0, most, most - 1) },
  )
}

const durationsMs: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 4, arbitrary: fc.constantFrom(7, 100, 333, 1_000, 10_000, 60_000, 3_600_000, 86_400_000) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: YEAR_MS }) },
  { weight: 1, arbitrary: fc.constantFrom(YEAR_MS, YEAR_MS - 1) },
)

const refills = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 7 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: MOST_LIMIT }) },
)

const refillsAndNone = fc.oneof({ weight: 9, arbitrary: refills }, { weight: 1, arbitrary: fc.constant(0) })

export const fixedWindows: fc.Arbitrary<FixedWindowSpec> = fc.record({
  algorithm: fc.constant('fixed-window' as const),
  limit: limits(),
  windowMs: durationsMs,
  align: fc.constantFrom('first' as const, 'epoch' as const),
})

export const slidingWindows: fc.Arbitrary<SlidingWindowSpec> = fc.record({
  algorithm: fc.constant('sliding-window' as const),
  limit: limits(),
  windowMs: durationsMs,
  strict: fc.boolean(),
})

export const slidingLogs: fc.Arbitrary<SlidingLogSpec> = fc.record({
  algorithm: fc.constant('sliding-log' as const),
  limit: limits(MOST_LOG_LIMIT),
  windowMs: durationsMs,
})

const tokenBuckets: fc.Arbitrary<TokenBucketSpec> = fc.record({
  algorithm: fc.constant('token-bucket' as const),
  capacity: limits(),
  refill: refillsAndNone,
  perMs: durationsMs,
})

const gcras: fc.Arbitrary<GcraSpec> = fc.record({
  algorithm: fc.constant('gcra' as const),
  rate: refillsAndNone,
  perMs: durationsMs,
  burst: limits(),
})

const leakyBuckets: fc.Arbitrary<LeakyBucketSpec> = fc.record({
  algorithm: fc.constant('leaky-bucket' as const),
  rate: refills,
  perMs: durationsMs,
})

export const buckets: fc.Arbitrary<TokenBucketSpec | GcraSpec | LeakyBucketSpec> = fc.oneof(
  { weight: 3, arbitrary: tokenBuckets },
  { weight: 2, arbitrary: gcras },
  { weight: 1, arbitrary: leakyBuckets },
)

export const anyPolicy: fc.Arbitrary<PolicySpec> = fc.oneof(
  { weight: 2, arbitrary: fixedWindows },
  { weight: 3, arbitrary: slidingWindows },
  { weight: 2, arbitrary: slidingLogs },
  { weight: 3, arbitrary: buckets },
)

/** A limiter of one policy. */
export const oneOf = (policies: fc.Arbitrary<PolicySpec>): fc.Arbitrary<PolicySpecs> =>
  policies.map((spec) => ({ default: spec }))

/** A limiter of one to so many named policies. */
export function composed(most: number = 5): fc.Arbitrary<PolicySpecs> {
  return fc
    .array(anyPolicy, { minLength: 1, maxLength: most })
    .map((specs) => Object.fromEntries(specs.map((spec, index) => [`p${index}`, spec])))
}

/** Policies of alike sizes, so that more than one of them comes to bind, and ties happen. */
export const alike: fc.Arbitrary<PolicySpecs> = fc
  .tuple(composed(), fc.integer({ min: 1, max: 6 }), durationsMs)
  .map(([specs, limit, ms]) =>
    Object.fromEntries(
      Object.entries(specs).map(([name, spec], index) => [name, resized(spec, limit + (index % 2), ms)]),
    ),
  )

function resized(spec: PolicySpec, limit: number, ms: number): PolicySpec {
  switch (spec.algorithm) {
    case 'token-bucket':
      return { ...spec, capacity: limit, refill: Math.min(spec.refill, limit), perMs: ms }
    case 'gcra':
      return { ...spec, burst: limit, rate: Math.min(spec.rate, limit), perMs: ms }
    case 'leaky-bucket':
      return { ...spec, perMs: ms }
    default:
      return { ...spec, limit, windowMs: ms }
  }
}
