import {
  type Decision,
  fixedWindow,
  gcra,
  Limiter,
  leakyBucket,
  type Policy,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from 'headgate'
import { ManualClock } from 'headgate/testing'
import type { Keys, PolicySpec, PolicySpecs } from '../oracle/index.ts'

export interface CallOptions {
  readonly cost?: number
  /** In place of the declared ones, for this call. */
  readonly policies?: PolicySpecs
}

/**
 * A limiter under test, whatever is behind it: this process's memory, a server, a service. It is told the time and asked by policy name;
 * an unnamed single policy is `default`.
 */
export interface Subject {
  setMs(nowMs: number): void | Promise<void>
  take(keys: Keys, options?: CallOptions): Promise<Decision>
  reserve(keys: Keys, options?: CallOptions): Promise<{ decision: Decision; receipt: string | undefined }>
  peek(keys: Keys, options?: CallOptions): Promise<Decision>
  charge(keys: Keys, units: number, options?: CallOptions): Promise<Decision>
  refund(receipt: string, units?: number): Promise<number>
  reset(keys: Keys, options?: CallOptions): Promise<void>
  close(): Promise<void>
}

export function policyOf(spec: PolicySpec): Policy {
  switch (spec.algorithm) {
    case 'fixed-window':
      return fixedWindow({ limit: spec.limit, window: spec.windowMs, align: spec.align })
    case 'sliding-window':
      return slidingWindow({ limit: spec.limit, window: spec.windowMs, strict: spec.strict })
    case 'sliding-log':
      return slidingLog({ limit: spec.limit, window: spec.windowMs })
    case 'token-bucket':
      return tokenBucket({ capacity: spec.capacity, refill: spec.refill, per: spec.perMs })
    case 'gcra':
      return gcra({ rate: spec.rate, per: spec.perMs, burst: spec.burst })
    case 'leaky-bucket':
      return leakyBucket({ rate: spec.rate, per: spec.perMs })
  }
}

function policiesOf(specs: PolicySpecs): Record<string, Policy> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, policyOf(spec)]))
}

/** The library in this process's memory. */
export function memorySubject(specs: PolicySpecs): Subject {
  const only = specs['default']
  return only && Object.keys(specs).length === 1 ? single(only) : composed(specs)
}

function single(spec: PolicySpec): Subject {
  const clock = new ManualClock(0)
  const limiter = new Limiter({ policy: policyOf(spec), clock })
  const keyOf = (keys: Keys): string => keys['default'] ?? ''
  const optionsOf = ({ cost, policies }: CallOptions = {}) => {
    const instead = policies?.['default']
    return { ...(cost === undefined ? {} : { cost }), ...(instead ? { policy: policyOf(instead) } : {}) }
  }
  return {
    setMs: (nowMs) => clock.set(nowMs),
    take: (keys, options) => limiter.take(keyOf(keys), optionsOf(options)),
    reserve: (keys, options) => limiter.reserve(keyOf(keys), optionsOf(options)),
    peek: (keys, options) => limiter.peek(keyOf(keys), optionsOf(options)),
    charge: (keys, units, options) => limiter.charge(keyOf(keys), units, optionsOf(options)),
    refund: (receipt, units) => limiter.refund(receipt, units),
    reset: (keys, options) => limiter.reset(keyOf(keys), optionsOf(options)),
    close: () => limiter.close(),
  }
}

function composed(specs: PolicySpecs): Subject {
  const clock = new ManualClock(0)
  const limiter = new Limiter({ policies: policiesOf(specs), clock })
  const keysOf = (keys: Keys) =>
    Object.fromEntries(Object.keys(specs).map((name) => [name, keys[name]] as const))
  const optionsOf = ({ cost, policies }: CallOptions = {}) => ({
    ...(cost === undefined ? {} : { cost }),
    ...(policies ? { policy: policiesOf(policies) } : {}),
  })
  return {
    setMs: (nowMs) => clock.set(nowMs),
    take: (keys, options) => limiter.take(keysOf(keys), optionsOf(options)),
    reserve: (keys, options) => limiter.reserve(keysOf(keys), optionsOf(options)),
    peek: (keys, options) => limiter.peek(keysOf(keys), optionsOf(options)),
    charge: (keys, units, options) => limiter.charge(keysOf(keys), units, optionsOf(options)),
    refund: (receipt, units) => limiter.refund(receipt, units),
    reset: (keys, options) => limiter.reset(keysOf(keys), optionsOf(options)),
    close: () => limiter.close(),
  }
}
