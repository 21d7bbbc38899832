import { type Keys, limitOf, type PolicySpecs } from '../../model/oracle/index.ts'
import { Scribe } from '../scribe.ts'
import type { GoldenTable } from '../table.ts'
import { Dice, waitOut } from './tour.ts'

const POLICIES: PolicySpecs = {
  ip: { algorithm: 'sliding-window', limit: 6, windowMs: 1_000, strict: false },
  user: { algorithm: 'token-bucket', capacity: 4, refill: 2, perMs: 1_000 },
  endpoint: { algorithm: 'gcra', rate: 5, perMs: 1_000, burst: 3 },
  twin: { algorithm: 'fixed-window', limit: 4, windowMs: 1_000, align: 'epoch' },
  'twin too': { algorithm: 'fixed-window', limit: 4, windowMs: 1_000, align: 'epoch' },
  log: { algorithm: 'sliding-log', limit: 5, windowMs: 2_000 },
}

function keysOf(names: readonly string[], key: string): Keys {
  return Object.fromEntries(names.map((name) => [name, `${name} of ${key}`]))
}

/** All or nothing; the policy that binds; ties by the later reset, then by the order of declaration. */
export function composedTable(): GoldenTable {
  const scribe = new Scribe('checks of several policies at once', POLICIES, 1_700_000_000_000)
  const all = keysOf(Object.keys(POLICIES), 'all')
  scribe.at(1_700_000_000_000)
  scribe.peek(all)
  for (let taken = 0; taken < 4; taken++) scribe.take(all)
  scribe.take(all, 3)
  scribe.take(all, 4)
  scribe.take(all, 7)
  waitOut(scribe, all, 2)
  // Ties: the same wait, the same rest; then one of the two resets later.
  const twins = keysOf(['twin', 'twin too'], 'ties')
  scribe.take(twins, 4)
  scribe.take(twins)
  scribe.take(keysOf(['endpoint', 'twin'], 'ties'), 0)
  scribe.take(keysOf(['user', 'twin'], 'even'), 1)
  scribe.take(keysOf(['twin', 'user'].sort(), 'even'), 4)
  scribe.take(keysOf(['ip', 'log'], 'never'), 6)
  walk(scribe)
  return scribe.table()
}

function walk(scribe: Scribe): void {
  const dice = new Dice(42)
  const names = Object.keys(POLICIES)
  let retryAtMs = 0
  for (let step = 0; step < 90; step++) {
    const chosen = names.filter(() => dice.roll(2) === 0)
    const applied = chosen.length > 0 ? chosen : names
    const least = Math.min(...applied.map((name) => limitOf(POLICIES[name] as PolicySpecs[string])))
    if (dice.roll(4) === 0 && retryAtMs > scribe.nowMs) scribe.at(retryAtMs - dice.of(0, 0.001))
    else if (dice.roll(2) === 0) scribe.after(dice.roll(600_000) / 1000)
    const keys = keysOf(applied, dice.of('a', 'a', 'b'))
    const answer =
      dice.roll(4) === 0 ? scribe.peek(keys, 1 + dice.roll(least)) : scribe.take(keys, 1 + dice.roll(least))
    if (!answer.allowed && answer.reason === 'limit') retryAtMs = answer.retryAtMs ?? 0
  }
}
