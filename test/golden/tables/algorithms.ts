import { limitOf, type PolicySpec, type PolicySpecs } from '../../model/oracle/index.ts'
import { Scribe } from '../scribe.ts'
import type { GoldenTable } from '../table.ts'
import { tour, waitOut, wander } from './tour.ts'

const START_MS = 1_700_000_000_000.25
const DAY_MS = 86_400_000
const YEAR_MS = 366 * DAY_MS
const LAST_MS = 2 ** 42 - 0.001

const stretchMs = (spec: PolicySpec): number => ('windowMs' in spec ? spec.windowMs : spec.perMs)

/** Each policy for itself: its tour, a walk, and the last days before the horizon. */
function story(about: string, policies: PolicySpecs): GoldenTable {
  const scribe = new Scribe(about, policies, START_MS)
  scribe.at(START_MS)
  for (const [name, spec] of Object.entries(policies)) {
    const limit = limitOf(spec)
    scribe.after(777.125)
    if (limit > 0) {
      tour(scribe, { [name]: 'visitor' }, limit)
      wander(scribe, { [name]: 'walker' }, limit, stretchMs(spec), 24)
    } else {
      scribe.take({ [name]: 'nobody' })
      scribe.peek({ [name]: 'nobody' }, 0)
    }
  }
  scribe.at(LAST_MS - 2_000)
  for (const [name, spec] of Object.entries(policies)) {
    if (limitOf(spec) > 0) waitOut(scribe, { [name]: 'late' }, 1)
  }
  scribe.at(LAST_MS)
  for (const [name, spec] of Object.entries(policies)) scribe.take({ [name]: 'last' }, limitOf(spec))
  for (const name of Object.keys(policies)) scribe.take({ [name]: 'last' })
  return scribe.table()
}

export const fixedWindowTable = (): GoldenTable =>
  story('fixed windows, from the first charge and aligned to the epoch', {
    first: { algorithm: 'fixed-window', limit: 3, windowMs: 1_000, align: 'first' },
    epoch: { algorithm: 'fixed-window', limit: 3, windowMs: 1_000, align: 'epoch' },
    single: { algorithm: 'fixed-window', limit: 1, windowMs: 1, align: 'first' },
    odd: { algorithm: 'fixed-window', limit: 7, windowMs: 3_333, align: 'epoch' },
    none: { algorithm: 'fixed-window', limit: 0, windowMs: 1_000, align: 'first' },
    vast: { algorithm: 'fixed-window', limit: 1_000_000_000, windowMs: YEAR_MS, align: 'first' },
  })

export const slidingWindowTable = (): GoldenTable =>
  story('sliding window counters, floored and strict', {
    floored: { algorithm: 'sliding-window', limit: 5, windowMs: 1_000, strict: false },
    strict: { algorithm: 'sliding-window', limit: 5, windowMs: 1_000, strict: true },
    hundred: { algorithm: 'sliding-window', limit: 100, windowMs: 60_000, strict: false },
    single: { algorithm: 'sliding-window', limit: 1, windowMs: 1, strict: false },
    'single strict': { algorithm: 'sliding-window', limit: 1, windowMs: 1, strict: true },
    odd: { algorithm: 'sliding-window', limit: 17, windowMs: 3_333, strict: true },
    none: { algorithm: 'sliding-window', limit: 0, windowMs: 1_000, strict: false },
    vast: { algorithm: 'sliding-window', limit: 1_000_000_000, windowMs: YEAR_MS, strict: false },
    'vast strict': { algorithm: 'sliding-window', limit: 999_999_937, windowMs: YEAR_MS, strict: true },
  })

export const slidingLogTable = (): GoldenTable =>
  story('sliding logs', {
    five: { algorithm: 'sliding-log', limit: 5, windowMs: 1_000 },
    hundred: { algorithm: 'sliding-log', limit: 100, windowMs: 60_000 },
    single: { algorithm: 'sliding-log', limit: 1, windowMs: 1 },
    odd: { algorithm: 'sliding-log', limit: 17, windowMs: 3_333 },
    none: { algorithm: 'sliding-log', limit: 0, windowMs: 1_000 },
    vast: { algorithm: 'sliding-log', limit: 1_000_000, windowMs: YEAR_MS },
  })

export const tokenBucketTable = (): GoldenTable =>
  story('token buckets, with and without a refill', {
    ten: { algorithm: 'token-bucket', capacity: 10, refill: 1, perMs: 1_000 },
    thirds: { algorithm: 'token-bucket', capacity: 5, refill: 3, perMs: 1_000 },
    sevenths: { algorithm: 'token-bucket', capacity: 4, refill: 7, perMs: 10 },
    swift: { algorithm: 'token-bucket', capacity: 6_000, refill: 6_000_000, perMs: 1_000 },
    spent: { algorithm: 'token-bucket', capacity: 3, refill: 0, perMs: 1_000 },
    none: { algorithm: 'token-bucket', capacity: 0, refill: 1, perMs: 1_000 },
    slow: { algorithm: 'token-bucket', capacity: 2, refill: 1, perMs: YEAR_MS },
    vast: { algorithm: 'token-bucket', capacity: 1_000_000_000, refill: 999_999_937, perMs: YEAR_MS },
  })

export const gcraTable = (): GoldenTable =>
  story('gcra, and the leaky bucket that is a gcra of burst 1', {
    burst: { algorithm: 'gcra', rate: 1, perMs: 1_000, burst: 5 },
    thirds: { algorithm: 'gcra', rate: 3, perMs: 1_000, burst: 2 },
    flat: { algorithm: 'leaky-bucket', rate: 1, perMs: 1_500 },
    'flat thirds': { algorithm: 'leaky-bucket', rate: 3, perMs: 1_000 },
    swift: { algorithm: 'gcra', rate: 6_000, perMs: 1_000, burst: 6_000 },
    none: { algorithm: 'gcra', rate: 1, perMs: 1_000, burst: 0 },
    vast: { algorithm: 'gcra', rate: 1_000_000_000, perMs: YEAR_MS, burst: 1_000_000_000 },
  })
