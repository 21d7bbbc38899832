import { limitOf, type PolicySpecs } from '../../model/oracle/index.ts'
import { Scribe } from '../scribe.ts'
import type { GoldenTable } from '../table.ts'
import { waitOut } from './tour.ts'

const START_MS = 1_600_000_000_250
const MOST_UNITS = 1_000_000_000

const POLICIES: PolicySpecs = {
  first: { algorithm: 'fixed-window', limit: 5, windowMs: 1_000, align: 'first' },
  epoch: { algorithm: 'fixed-window', limit: 5, windowMs: 1_000, align: 'epoch' },
  counter: { algorithm: 'sliding-window', limit: 5, windowMs: 1_000, strict: false },
  strict: { algorithm: 'sliding-window', limit: 5, windowMs: 1_000, strict: true },
  log: { algorithm: 'sliding-log', limit: 5, windowMs: 1_000 },
  bucket: { algorithm: 'token-bucket', capacity: 5, refill: 3, perMs: 1_000 },
  flat: { algorithm: 'leaky-bucket', rate: 3, perMs: 1_000 },
  spent: { algorithm: 'token-bucket', capacity: 5, refill: 0, perMs: 1_000 },
}

/** Charges after the fact: within the limit, past it, and up to where use saturates; each waits exactly as long as it must. */
export function debtTable(): GoldenTable {
  const scribe = new Scribe('charges into debt', POLICIES, START_MS)
  scribe.at(START_MS)
  for (const [name, spec] of Object.entries(POLICIES)) {
    const keys = { [name]: 'debtor' }
    const limit = limitOf(spec)
    scribe.charge(keys, 0)
    scribe.charge(keys, 1)
    scribe.charge(keys, limit * 2)
    scribe.after(0.001).take(keys)
    waitOut(scribe, keys, 1)
    scribe.charge(keys, 7)
    scribe.after(250).charge(keys, 3)
    waitOut(scribe, keys, limit)
    const saturated = { [name]: 'bottomless' }
    for (let time = 0; time < 4; time++) scribe.charge(saturated, MOST_UNITS)
    scribe.after(1.5).charge(saturated, MOST_UNITS)
    waitOut(scribe, saturated, 1)
  }
  const all = Object.fromEntries(Object.keys(POLICIES).map((name) => [name, 'all at once']))
  scribe.take(all)
  scribe.charge(all, 6)
  scribe.peek(all)
  scribe.reset(all)
  scribe.peek(all)
  return scribe.table()
}
