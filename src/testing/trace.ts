import { fixedWindow } from '../algorithms/fixed-window.ts'
import { gcra } from '../algorithms/gcra.ts'
import { slidingLog } from '../algorithms/sliding-log.ts'
import { slidingWindow } from '../algorithms/sliding-window.ts'
import { tokenBucket } from '../algorithms/token-bucket.ts'
import { Limiter } from '../limiter.ts'
import type { Policy } from '../policy.ts'
import type { Store } from '../stores/store.ts'
import type { ManualClock } from './manual-clock.ts'
import { Random } from './random.ts'
import { ReferenceStore } from './reference-store.ts'

const STEPS = 40

/** Plays random traces on a store and on the reference, side by side, and throws at the first answer that differs. */
export async function playTraces(
  store: Store,
  clock: ManualClock,
  traces: number,
  firstSeed: number = Math.floor(Math.random() * 2 ** 31),
): Promise<void> {
  for (let seed = firstSeed; seed < firstSeed + traces; seed++) await playOne(store, clock, seed)
}

async function playOne(store: Store, clock: ManualClock, seed: number): Promise<void> {
  const random = new Random(seed)
  const policies = { one: randomPolicy(random), two: randomPolicy(random) }
  const tested = new Limiter({ name: `trace ${seed}`, store, clock, policies })
  const trusted = new Limiter({ name: `trace ${seed}`, store: new ReferenceStore(clock), clock, policies })
  const receipts: [string, string][] = []
  const told: string[] = []
  for (let step = 0; step < STEPS; step++) {
    clock.advance(random.pick([0, 0, 0.001, 1, 10, 137.5, 1000, 4321.987]))
    const { text, play } = randomCall(random, receipts)
    const answers = [await play(tested, 0), await play(trusted, 1)].map((answer) => JSON.stringify(answer))
    told.push(`${clock.nowMs()} ${text}: ${answers.join(' | ')}`)
    if (answers[0] !== answers[1]) {
      const shown = JSON.stringify(policies)
      throw new Error(
        `seed: ${seed} replays this. The store and the reference differ under ${shown}\n${told.join('\n')}`,
      )
    }
  }
}

type Pair = { one: Policy; two: Policy }

interface Call {
  readonly text: string
  /** Plays the call; `side` chooses between the two receipts of one reservation. */
  play(limiter: Limiter<Pair, Store>, side: 0 | 1): Promise<unknown>
}

function randomCall(random: Random, receipts: [string, string][]): Call {
  const key = random.pick([
    { one: 'a', two: 'a' },
    { one: 'a', two: undefined },
    { one: 'b', two: 'a' },
  ])
  const cost = random.whole(0, 4)
  const call = random.pick([
    'take',
    'take',
    'take',
    'peek',
    'charge',
    'reserve',
    'reserve',
    'refund',
    'reset',
  ] as const)
  const text = `${call} ${JSON.stringify(key)} ${cost}`
  if (call === 'take' || call === 'peek') return { text, play: (limiter) => limiter[call](key, { cost }) }
  if (call === 'charge') return { text, play: (limiter) => limiter.charge(key, cost) }
  if (call === 'reset' && random.next() < 0.2) return { text, play: (limiter) => limiter.reset(key) }
  if (call === 'reserve') return { text, play: reserve }
  const held = receipts.length > 0 ? random.pick(receipts) : undefined
  return { text: `refund ${cost}`, play: async (limiter, side) => held && limiter.refund(held[side], cost) }

  async function reserve(limiter: Limiter<Pair, Store>, side: 0 | 1): Promise<unknown> {
    const { decision, receipt } = await limiter.reserve(key, { cost })
    if (receipt && side === 0) receipts.push([receipt, ''])
    const pair = receipts.at(-1)
    if (receipt && side === 1 && pair) pair[1] = receipt
    return decision
  }
}

function randomPolicy(random: Random): Policy {
  const limit = random.whole(0, 9)
  const window = random.pick([1, 7, 1000, 1001, 60_000])
  return random.pick([
    fixedWindow({ limit, window }),
    fixedWindow({ limit, window, align: 'epoch' }),
    slidingWindow({ limit, window }),
    slidingWindow({ limit, window, strict: true }),
    slidingLog({ limit, window }),
    tokenBucket({ capacity: limit, refill: random.whole(0, 5), per: window }),
    gcra({ burst: limit, rate: random.whole(1, 9), per: window }),
  ])
}
