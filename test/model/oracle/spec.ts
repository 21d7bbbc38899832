/** A policy as plain data: what a golden table holds, and what both the oracle and the library are built from. */
export type PolicySpec =
  | FixedWindowSpec
  | SlidingWindowSpec
  | SlidingLogSpec
  | TokenBucketSpec
  | GcraSpec
  | LeakyBucketSpec

export interface FixedWindowSpec {
  readonly algorithm: 'fixed-window'
  readonly limit: number
  readonly windowMs: number
  readonly align: 'first' | 'epoch'
}

export interface SlidingWindowSpec {
  readonly algorithm: 'sliding-window'
  readonly limit: number
  readonly windowMs: number
  readonly strict: boolean
}

export interface SlidingLogSpec {
  readonly algorithm: 'sliding-log'
  readonly limit: number
  readonly windowMs: number
}

export interface TokenBucketSpec {
  readonly algorithm: 'token-bucket'
  readonly capacity: number
  readonly refill: number
  readonly perMs: number
}

export interface GcraSpec {
  readonly algorithm: 'gcra'
  readonly rate: number
  readonly perMs: number
  readonly burst: number
}

/** A gcra with burst 1. */
export interface LeakyBucketSpec {
  readonly algorithm: 'leaky-bucket'
  readonly rate: number
  readonly perMs: number
}

export type PolicySpecs = { readonly [name: string]: PolicySpec }

/** What all specs of one algorithm share but its limit: states of one shape are one state. */
export function shapeOf(spec: PolicySpec): string {
  switch (spec.algorithm) {
    case 'fixed-window':
      return `fixed-window ${spec.windowMs} ${spec.align}`
    case 'sliding-window':
      return `sliding-window ${spec.windowMs} ${spec.strict}`
    case 'sliding-log':
      return `sliding-log ${spec.windowMs}`
    case 'token-bucket':
      return `token-bucket ${spec.perMs} ${spec.refill}`
    default:
      return `gcra ${spec.perMs} ${spec.rate}`
  }
}

export function limitOf(spec: PolicySpec): number {
  switch (spec.algorithm) {
    case 'token-bucket':
      return spec.capacity
    case 'gcra':
      return spec.burst
    case 'leaky-bucket':
      return 1
    default:
      return spec.limit
  }
}

export function neverRefills(spec: PolicySpec): boolean {
  if (spec.algorithm === 'token-bucket') return spec.refill === 0
  return (spec.algorithm === 'gcra' || spec.algorithm === 'leaky-bucket') && spec.rate === 0
}

/** The same policy with another limit: the one number that may change under a live state. */
export function withLimit(spec: PolicySpec, limit: number): PolicySpec {
  switch (spec.algorithm) {
    case 'token-bucket':
      return { ...spec, capacity: limit }
    case 'gcra':
      return { ...spec, burst: limit }
    case 'leaky-bucket':
      return { algorithm: 'gcra', rate: spec.rate, perMs: spec.perMs, burst: limit }
    default:
      return { ...spec, limit }
  }
}
