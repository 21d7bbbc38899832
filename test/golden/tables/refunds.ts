import type { PolicySpecs } from '../../model/oracle/index.ts'
import { Scribe } from '../scribe.ts'
import type { GoldenTable } from '../table.ts'
import { Dice } from './tour.ts'

const START_MS = 1_700_000_000_250

const POLICIES: PolicySpecs = {
  first: { algorithm: 'fixed-window', limit: 10, windowMs: 1_000, align: 'first' },
  epoch: { algorithm: 'fixed-window', limit: 10, windowMs: 1_000, align: 'epoch' },
  counter: { algorithm: 'sliding-window', limit: 10, windowMs: 1_000, strict: false },
  strict: { algorithm: 'sliding-window', limit: 10, windowMs: 1_000, strict: true },
  log: { algorithm: 'sliding-log', limit: 10, windowMs: 1_000 },
  bucket: { algorithm: 'token-bucket', capacity: 10, refill: 10, perMs: 1_000 },
  thirds: { algorithm: 'gcra', rate: 3, perMs: 1_000, burst: 10 },
  spent: { algorithm: 'token-bucket', capacity: 10, refill: 0, perMs: 1_000 },
  endless: { algorithm: 'token-bucket', capacity: 1_000, refill: 1, perMs: 366 * 86_400_000 },
}

/** Receipts: whole, in part, too much, twice, late, after the last of its units has refilled, and of a check of many. */
export function refundsTable(): GoldenTable {
  const scribe = new Scribe('refunds', POLICIES, START_MS)
  scribe.at(START_MS)
  for (const name of Object.keys(POLICIES)) {
    const keys = { [name]: 'giver' }
    const receipt = (nth: number): string => `${name} ${nth}`
    scribe.take(keys, 3, { receipt: receipt(1) })
    scribe.take(keys, 4, { receipt: receipt(2) })
    scribe.refund(receipt(1), 2)
    scribe.refund(receipt(1))
    scribe.peek(keys)
    scribe.after(100.125).take(keys, 5, { receipt: receipt(3) })
    scribe.refund(receipt(2), 0)
    scribe.refund(receipt(2), 99)
    scribe.peek(keys, 10)
    scribe.after(333.333).refund(receipt(3))
    scribe.peek(keys)
    scribe.take(keys, 10, { receipt: receipt(4) })
    scribe.after(2 * 366 * 86_400_000).refund(receipt(4))
    scribe.take(keys, 1)
  }
  return scribe.table()
}

/** The same on a clock that only goes forward: many receipts of each policy, given back in any order. */
export function manyRefundsTable(): GoldenTable {
  const scribe = new Scribe('many receipts of one key, given back in any order', POLICIES, START_MS)
  const dice = new Dice(7)
  scribe.at(START_MS)
  for (const name of Object.keys(POLICIES)) {
    const keys = { [name]: 'regular' }
    const open: string[] = []
    for (let step = 0; step < 36; step++) {
      if (dice.roll(3) > 0) scribe.after(dice.roll(300_000) / 1000)
      if (dice.roll(2) === 0 || open.length === 0) {
        const receipt = `${name} ${step}`
        if (scribe.take(keys, 1 + dice.roll(5), { receipt }).allowed) open.push(receipt)
      } else {
        const [receipt = ''] = open.splice(dice.roll(open.length), 1)
        scribe.refund(receipt, dice.of(undefined, 1, 2, 3))
      }
    }
    scribe.peek(keys)
  }
  const all = Object.fromEntries(Object.keys(POLICIES).map((name) => [name, 'all of them']))
  scribe.take(all, 4, { receipt: 'whole' })
  scribe.take(all, 2, { receipt: 'part' })
  scribe.after(700).refund('whole')
  scribe.peek(all)
  scribe.refund('part', 1)
  scribe.refund('part')
  scribe.peek(all)
  return scribe.table()
}
