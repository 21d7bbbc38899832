import { limitOf, type PolicySpec, type PolicySpecs } from '../../model/oracle/index.ts'
import { Scribe } from '../scribe.ts'
import type { GoldenTable } from '../table.ts'

const START_MS = 1_700_000_000_400.5
const DAYS_366_MS = 366 * 86_400_000

const POLICIES: PolicySpecs = {
  first: { algorithm: 'fixed-window', limit: 3, windowMs: 1_000, align: 'first' },
  epoch: { algorithm: 'fixed-window', limit: 3, windowMs: 1_000, align: 'epoch' },
  counter: { algorithm: 'sliding-window', limit: 3, windowMs: 1_000, strict: false },
  strict: { algorithm: 'sliding-window', limit: 3, windowMs: 1_000, strict: true },
  log: { algorithm: 'sliding-log', limit: 3, windowMs: 1_000 },
  bucket: { algorithm: 'token-bucket', capacity: 3, refill: 3, perMs: 1_000 },
  sevenths: { algorithm: 'token-bucket', capacity: 3, refill: 7, perMs: 10 },
  flat: { algorithm: 'gcra', rate: 2, perMs: 3_000, burst: 2 },
  spent: { algorithm: 'token-bucket', capacity: 3, refill: 0, perMs: 1_000 },
}

/** How far back a clock may be for time to stand still; a microsecond more, and the state is repaired. */
function spanMs(spec: PolicySpec): number {
  if ('windowMs' in spec) return spec.windowMs
  const refill = spec.algorithm === 'token-bucket' ? spec.refill : spec.rate
  return refill === 0 ? DAYS_366_MS : Math.ceil((limitOf(spec) * spec.perMs * 1000) / refill) / 1000
}

/** The newest time of a state that was charged now: a window begins before. */
function latestMs(spec: PolicySpec, chargedMs: number): number {
  const aligned =
    spec.algorithm === 'sliding-window' || (spec.algorithm === 'fixed-window' && spec.align === 'epoch')
  return aligned ? Math.floor(chargedMs / spec.windowMs) * spec.windowMs : chargedMs
}

/** Clocks that go back: by a span at most, and time stands still; by more, and what was stored is repaired once. */
export function clockHazardsTable(): GoldenTable {
  const scribe = new Scribe('clocks that go back', POLICIES, START_MS)
  for (const [index, [name, spec]] of Object.entries(POLICIES).entries()) {
    const keys = { [name]: 'jumper' }
    const chargedMs = START_MS + index * 86_400_000
    scribe.at(chargedMs)
    scribe.take(keys, limitOf(spec), { receipt: `${name} before` })
    const latest = latestMs(spec, chargedMs)
    for (const backMs of [0.001, spanMs(spec) / 2, spanMs(spec)]) {
      scribe.at(latest - Math.round(backMs * 1000) / 1000)
      scribe.peek(keys)
      scribe.take(keys)
    }
    // The very edge: repaired by a peek, and from then on it waits like any other.
    scribe.at(latest - spanMs(spec) - 0.001)
    const repaired = scribe.peek(keys)
    scribe.refund(`${name} before`)
    scribe.after(0.001).take(keys)
    if (repaired.retryAtMs !== undefined && Number.isFinite(repaired.retryAtMs)) {
      scribe.at(repaired.retryAtMs - 0.001).take(keys)
      scribe.at(repaired.retryAtMs).take(keys, 1, { receipt: `${name} after` })
      scribe.refund(`${name} after`)
    }
  }
  farBack(scribe)
  return scribe.table()
}

/** Years back, some use left: kept through the repair; and a check of all, whose denial by one repairs each. */
function farBack(scribe: Scribe): void {
  const keys = Object.fromEntries(Object.keys(POLICIES).map((name) => [name, 'traveller']))
  scribe.at(START_MS + 400 * 86_400_000)
  scribe.take(keys)
  scribe.charge({ log: 'traveller' }, 5)
  scribe.at(100_000_000_000.125)
  scribe.take(keys)
  scribe.after(0.001).peek(keys)
  scribe.at(0.75)
  scribe.peek(keys)
  scribe.take({ first: 'traveller' })
}
