import { limitOf, type PolicySpecs, withLimit } from '../../model/oracle/index.ts'
import { Scribe } from '../scribe.ts'
import type { GoldenTable } from '../table.ts'

const START_MS = 1_700_000_000_250

const POLICIES: PolicySpecs = {
  first: { algorithm: 'fixed-window', limit: 10, windowMs: 1_000, align: 'first' },
  epoch: { algorithm: 'fixed-window', limit: 10, windowMs: 1_000, align: 'epoch' },
  counter: { algorithm: 'sliding-window', limit: 10, windowMs: 1_000, strict: false },
  strict: { algorithm: 'sliding-window', limit: 10, windowMs: 1_000, strict: true },
  log: { algorithm: 'sliding-log', limit: 10, windowMs: 1_000 },
  bucket: { algorithm: 'token-bucket', capacity: 10, refill: 3, perMs: 1_000 },
  burst: { algorithm: 'gcra', rate: 7, perMs: 1_000, burst: 10 },
  spent: { algorithm: 'token-bucket', capacity: 10, refill: 0, perMs: 1_000 },
}

/** Plans: another limit for a call. What was used stays used, up and down; another shape is another state. */
export function dynamicLimitsTable(): GoldenTable {
  const scribe = new Scribe(
    'limits that change under live keys, and shapes that make another state',
    POLICIES,
    START_MS,
  )
  scribe.at(START_MS)
  for (const [name, spec] of Object.entries(POLICIES)) {
    const keys = { [name]: 'customer' }
    const plan = (limit: number) => ({ policies: { [name]: withLimit(spec, limit) } })
    scribe.take(keys, limitOf(spec) - 2)
    scribe.take(keys, 10, plan(20))
    scribe.take(keys)
    scribe.take(keys, 1, plan(5))
    scribe.peek(keys, 1, plan(0))
    scribe.peek(keys, 3, plan(20))
    scribe.take(keys, 2, { ...plan(20), receipt: `${name} plan` })
    scribe.refund(`${name} plan`)
    const { retryAtMs = Number.POSITIVE_INFINITY } = scribe.peek(keys, 2, plan(4))
    if (Number.isFinite(retryAtMs)) {
      scribe.at(retryAtMs - 0.001).take(keys, 2, plan(4))
      scribe.at(retryAtMs).take(keys, 2, plan(4))
    }
    scribe.peek(keys)
    const shape = { policies: { [name]: reshaped(spec) } }
    scribe.take(keys, 2, shape)
    scribe.peek(keys)
    scribe.reset(keys, shape)
    scribe.peek(keys, 1, shape)
    scribe.peek(keys)
    scribe.reset(keys)
    scribe.peek(keys)
  }
  return scribe.table()
}

function reshaped(spec: PolicySpecs[string]): PolicySpecs[string] {
  return 'windowMs' in spec ? { ...spec, windowMs: spec.windowMs * 2 } : { ...spec, perMs: spec.perMs * 2 }
}
