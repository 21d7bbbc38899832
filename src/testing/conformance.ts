import { fixedWindow } from '../algorithms/fixed-window.ts'
import { gcra } from '../algorithms/gcra.ts'
import { slidingLog } from '../algorithms/sliding-log.ts'
import { slidingWindow } from '../algorithms/sliding-window.ts'
import { tokenBucket } from '../algorithms/token-bucket.ts'
import { Limiter } from '../limiter.ts'
import type { Policy } from '../policy.ts'
import type { Store } from '../stores/store.ts'
import { ManualClock } from './manual-clock.ts'
import { playTraces } from './trace.ts'

/** What a test runner has: Vitest, Jest, Mocha, Bun and `node:test` do. */
export interface Runner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
  /** Replays the random traces from a seed that a failure named. By default each run has its own. */
  readonly seed?: number
}

/** How many random traces each store is held against the reference with. */
const TRACES = 200
const START_MS = 1_700_000_000_000

const POLICIES: readonly (readonly [string, Policy])[] = [
  ['fixed window', fixedWindow({ limit: 5, window: 1000 })],
  ['aligned fixed window', fixedWindow({ limit: 5, window: 1000, align: 'epoch' })],
  ['sliding window', slidingWindow({ limit: 5, window: 1000 })],
  ['strict sliding window', slidingWindow({ limit: 5, window: 1000, strict: true })],
  ['sliding log', slidingLog({ limit: 5, window: 1000 })],
  ['token bucket', tokenBucket({ capacity: 5, refill: 5, per: 1000 })],
  ['gcra', gcra({ rate: 5, per: 1000, burst: 5 })],
]

/**
 * The suite that a store must pass: the promises of {@link Store}, with every algorithm, and the same decisions as the plainest store there
 * can be on random traces.
 *
 * @param name Names the store in the report.
 * @param make Makes an empty store that decides on the clock given. Each test makes one, and closes it.
 * @param runner By default the runner's globals `describe` and `it`.
 */
export function storeConformance(
  name: string,
  make: (clock: ManualClock) => Promise<Store>,
  runner: Runner = globalRunner(),
): void {
  const test = (promise: string, body: (bench: Bench) => Promise<void>): void =>
    runner.it(promise, async () => {
      const clock = new ManualClock(START_MS)
      const store = await make(clock)
      await body({ clock, store }).finally(() => store.close())
    })
  runner.describe(`store conformance: ${name}`, () => {
    for (const [algorithm, policy] of POLICIES) {
      test(`${algorithm}: of many at once exactly the limit is admitted`, (bench) => burst(bench, policy))
      test(`${algorithm}: a denial ends at its retry, and not before`, (bench) => exactWait(bench, policy))
      test(`${algorithm}: a charge comes back once, whoever asks`, (bench) => refundOnce(bench, policy))
      test(`${algorithm}: a clock that goes back gives nothing`, (bench) => clockBack(bench, policy))
      test(`${algorithm}: after a reset all is there again`, (bench) => resetAll(bench, policy))
    }
    test('a composed check charges all of its policies or none', allOrNothing)
    test('names, policies and keys do not mix, whatever their text', noMixing)
    test(`${TRACES} random traces are decided as by the reference`, ({ clock, store }) =>
      playTraces(store, clock, TRACES, runner.seed))
  })
}

interface Bench {
  readonly clock: ManualClock
  readonly store: Store
}

async function burst({ clock, store }: Bench, policy: Policy): Promise<void> {
  const limiter = new Limiter({ name: 'burst', store, clock, policy })
  const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.take('key')))
  equal(decisions.filter((decision) => decision.allowed).length, 5, 'admitted')
  const last = decisions.filter((decision) => decision.allowed).map((decision) => decision.remaining)
  equal(last.sort().join(), '0,1,2,3,4', 'remaining after each')
}

async function exactWait({ clock, store }: Bench, policy: Policy): Promise<void> {
  const limiter = new Limiter({ name: 'wait', store, clock, policy })
  await limiter.take('key', { cost: 4 })
  const denied = await limiter.take('key', { cost: 3 })
  if (denied.allowed) throw new Error('4 and 3 of 5 were both admitted')
  equal(denied.remaining, 1, 'remaining on the denial')
  // Of two instants in doubles the difference is good to the microsecond.
  const distanceMs = Math.round((denied.retryAtMs - denied.decidedAtMs) * 1000) / 1000
  equal(distanceMs, denied.retryAfterMs, 'the distance to the retry')
  clock.set(denied.retryAtMs - 0.001)
  equal((await limiter.take('key', { cost: 3 })).allowed, false, 'admitted a microsecond before the retry')
  clock.set(denied.retryAtMs)
  equal((await limiter.take('key', { cost: 3 })).allowed, true, 'admitted at the retry')
}

async function refundOnce({ clock, store }: Bench, policy: Policy): Promise<void> {
  const limiter = new Limiter({ name: 'refund', store, clock, policy })
  const { receipt = '' } = await limiter.reserve('key', { cost: 2 })
  await limiter.take('key', { cost: 3 })
  const back = await Promise.all([
    limiter.refund(receipt),
    limiter.refund(receipt),
    limiter.refund(receipt, 1),
  ])
  equal(
    back.reduce((sum, units) => sum + units, 0),
    2,
    'units that came back',
  )
  equal((await limiter.peek('key')).remaining, 2, 'remaining after the refund')
}

async function clockBack({ clock, store }: Bench, policy: Policy): Promise<void> {
  const limiter = new Limiter({ name: 'back', store, clock, policy })
  await limiter.charge('key', 5)
  const { resetAtMs } = await limiter.peek('key')
  clock.advance(-300)
  const stood = await limiter.take('key')
  equal(stood.allowed, false, 'admitted on a clock that went back')
  equal(stood.resetAtMs, resetAtMs, 'the reset while time stands still')
  clock.advance(-1_000_000)
  const repaired = await limiter.peek('key')
  if (repaired.allowed) throw new Error('admitted on a clock that went back by more than a window')
  if (repaired.retryAfterMs > 2000)
    throw new Error(`locked out for ${repaired.retryAfterMs} ms by a clock that was wrong`)
  clock.set(repaired.retryAtMs)
  equal((await limiter.take('key')).allowed, true, 'admitted at the retry after a repair')
}

async function resetAll({ clock, store }: Bench, policy: Policy): Promise<void> {
  const limiter = new Limiter({ name: 'reset', store, clock, policy })
  await limiter.charge('key', 9)
  await limiter.charge('other', 1)
  await limiter.reset('key')
  const { remaining, resetAtMs, decidedAtMs } = await limiter.peek('key')
  equal(remaining, 5, 'remaining after the reset')
  equal(resetAtMs, decidedAtMs, 'the reset with nothing held')
  equal((await limiter.peek('other')).remaining, 4, 'remaining of the other key')
}

async function allOrNothing({ clock, store }: Bench): Promise<void> {
  const policies = Object.fromEntries(POLICIES)
  const limiter = new Limiter({ name: 'all', store, clock, policies })
  const keys = Object.fromEntries(POLICIES.map(([name]) => [name, 'key']))
  const [first = ''] = Object.keys(keys)
  await limiter.take({ [first]: 'key' }, { cost: 3 })
  const denied = await limiter.take(keys, { cost: 3 })
  equal(denied.allowed, false, 'admitted where one policy has no room')
  equal(denied.policy, first, 'the policy that binds')
  for (const [name] of POLICIES) {
    equal((await limiter.peek({ [name]: 'key' })).remaining, name === first ? 2 : 5, `remaining of ${name}`)
  }
}

async function noMixing({ clock, store }: Bench): Promise<void> {
  const policy = fixedWindow({ limit: 1, window: 1000 })
  const names = ['a', 'a:b', 'a}', '{a}', 'a\u0000', 'é', '"a"', '\ud800', '\udc00']
  const keys = [
    ...names,
    'b:a',
    ' ',
    '\n',
    'x'.repeat(256),
    'x'.repeat(257),
    `${'x'.repeat(256)}y`,
    'k'.repeat(10_240),
  ]
  for (const name of names) {
    const limiter = new Limiter({ name, store, clock, policy })
    for (const key of keys) {
      const admitted = [(await limiter.take(key)).allowed, (await limiter.take(key)).allowed]
      equal(
        admitted.join(),
        'true,false',
        `two takes of ${JSON.stringify(key.slice(0, 20))} by ${JSON.stringify(name)}`,
      )
    }
  }
}

function equal(got: unknown, expected: unknown, what: string): void {
  if (!Object.is(got, expected))
    throw new Error(`${what}: ${String(got)}, and it should be ${String(expected)}`)
}

function globalRunner(): Runner {
  const { describe, it } = globalThis as unknown as Partial<Runner>
  if (describe && it) return { describe, it }
  throw new Error('storeConformance found no global describe and it: hand them over as its third argument')
}
