import type { Algorithm } from './algorithm.ts'
import { ceilDiv, DAYS_366_MICROS, floorDiv, HORIZON_MICROS, least, microsOf, most } from './instant.ts'
import type { GcraSpec, LeakyBucketSpec, TokenBucketSpec } from './spec.ts'

/** Units in use at `at`, in numerators over the period: a unit is `period` of them, and each microsecond takes `refill` of them away. */
interface BucketState {
  readonly at: bigint
  readonly inUse: bigint
}

interface BucketNumbers {
  readonly capacity: number
  readonly refill: number
  readonly perMs: number
}

export function numbersOf(spec: TokenBucketSpec | GcraSpec | LeakyBucketSpec): BucketNumbers {
  if (spec.algorithm === 'token-bucket') return spec
  return { capacity: spec.algorithm === 'gcra' ? spec.burst : 1, refill: spec.rate, perMs: spec.perMs }
}

export function bucket(spec: TokenBucketSpec | GcraSpec | LeakyBucketSpec): Algorithm<BucketState> {
  const numbers = numbersOf(spec)
  const capacity = BigInt(numbers.capacity)
  const refill = BigInt(numbers.refill)
  const period = microsOf(numbers.perMs)
  const mostInUse = (capacity + floorDiv(DAYS_366_MICROS * refill, period)) * period
  const inUseAt = (state: BucketState, at: bigint): bigint => most(0n, state.inUse - (at - state.at) * refill)
  const used = (state: BucketState, at: bigint): bigint => ceilDiv(inUseAt(state, at), period)
  return {
    // In whole microseconds: the instant at which a drained bucket is full is the first one at which it is.
    spanMicros: refill === 0n ? DAYS_366_MICROS : ceilDiv(capacity * period, refill),
    latest: (state) => state.at,
    shift: (state, now) => ({ ...state, at: now }),
    used,
    charge(state, now, units) {
      const held = state ? inUseAt(state, now) : 0n
      return { at: now, inUse: most(held, least(held + units * period, mostInUse)) }
    },
    refund(state, now, charged, units) {
      const end = charged.end
      if (charged.place > now || (end !== undefined && now >= end)) return { state, units: 0n }
      const held = inUseAt(state, now)
      let back = least(units, used(state, now))
      // A reset past the horizon was reported as Infinity, and so bounds nothing.
      if (refill > 0n && end !== undefined) back = least(back, floorDiv((end - now) * refill, period))
      const left = most(0n, held - back * period)
      // Without a refill `at` is the last charge, and the state's 366 days count from it.
      return {
        state: left === 0n ? undefined : { at: refill === 0n ? state.at : now, inUse: left },
        units: back,
      }
    },
    voidsAt: (charged) => charged.end ?? (refill === 0n ? charged.place + DAYS_366_MICROS : undefined),
    lapsesAt(state) {
      const end = state.at + DAYS_366_MICROS
      return refill === 0n && end < HORIZON_MICROS ? end : undefined
    },
  }
}
