import type { Decision } from 'headgate'
import { type Cell, isEnded } from '../oracle/cell.ts'
import {
  charge,
  EMPTY_WORLD,
  type ExpectedDecision,
  type PolicySpec,
  peek,
  refund,
  reset,
  take,
  type World,
} from '../oracle/index.ts'
import { idOf, isVoid, looked, type Outcome } from '../oracle/world.ts'
import type { Event } from './play.ts'

/**
 * Follows a trace with the oracle, and compares each answer with what the library said.
 *
 * A store may drop a state from its end on, or keep it; that shows only on a clock that goes back over the end. There both are right, so the
 * judge holds every world that agrees with all that was said so far, and complains when none is left.
 */
export class Judge {
  #worlds: readonly World[] = [EMPTY_WORLD]
  readonly #ended = new WeakSet<Cell>()
  readonly #specs = new Map<string, PolicySpec>()
  readonly #mayGoBack: boolean
  #latestMicros = 0n

  constructor(mayGoBack: boolean) {
    this.#mayGoBack = mayGoBack
  }

  /** What is wrong with the answer; nothing if it is right. */
  differences(event: Event): string[] {
    this.#learn(event)
    const outcomes = this.#worlds
      .flatMap((world) => this.#forked(world, event))
      .flatMap((world) => answers(world, event, this.#latestMicros))
    const right = outcomes.filter(({ wrong }) => wrong.length === 0)
    if (right.length === 0) return outcomes.reduce((a, b) => (b.wrong.length < a.wrong.length ? b : a)).wrong
    this.#worlds = distinct(right.map(({ after }) => after))
    for (const world of this.#worlds) this.#markEnded(world, event.nowMicros)
    return []
  }

  #learn(event: Event): void {
    if (event.nowMicros > this.#latestMicros) this.#latestMicros = event.nowMicros
    for (const [policy, key] of Object.entries(event.keys)) {
      const spec = event.policies[policy]
      if (spec) this.#specs.set(idOf(policy, spec, key), spec)
    }
    for (const world of this.#worlds) this.#markEnded(world, event.nowMicros)
  }

  #markEnded(world: World, nowMicros: bigint): void {
    for (const [id, cell] of world.cells) {
      const spec = this.#specs.get(id)
      if (spec && !this.#ended.has(cell) && isEnded(spec, cell, nowMicros)) this.#ended.add(cell)
    }
  }

  /** This world, and with it those in which states that ended were dropped: where that can show. */
  #forked(world: World, event: Event): World[] {
    const asked = event.kind === 'refund' ? event.charged : event
    const ids = Object.entries(asked.keys).map(([policy, key]) =>
      idOf(policy, asked.policies[policy] as PolicySpec, key),
    )
    let worlds = [world]
    for (const id of ids) {
      const cell = world.cells.get(id)
      if (!cell || !this.#ended.has(cell) || !this.#shows(id, cell, event)) continue
      worlds = worlds.flatMap((kept) => {
        const cells = new Map(kept.cells)
        cells.delete(id)
        return [kept, { ...kept, cells }]
      })
    }
    return worlds
  }

  /** A state that is over still shows where time went back into it; and a counter's last window, where it may again. */
  #shows(id: string, cell: Cell, event: Event): boolean {
    const spec = this.#specs.get(id) as PolicySpec
    if (!isEnded(spec, cell, event.nowMicros)) return true
    const writes = event.kind === 'take' || event.kind === 'charge'
    return this.#mayGoBack && writes && spec.algorithm === 'sliding-window'
  }
}

interface Answered {
  readonly after: World
  readonly wrong: string[]
}

function answers(world: World, event: Event, latestMicros: bigint): Answered[] {
  switch (event.kind) {
    case 'reset':
      return [{ after: reset(world, event), wrong: [] }]
    case 'refund':
      return refunded(world, event, latestMicros)
    case 'charge':
      return [compared(charge(world, event, BigInt(event.units)), event.decision)]
    case 'peek':
      return [compared(peek(world, event, BigInt(event.cost)), event.decision)]
    case 'take':
      return [compared(take(world, event, BigInt(event.cost), event.receipt), event.decision)]
  }
}

function refunded(world: World, event: Event & { kind: 'refund' }, latestMicros: bigint): Answered[] {
  const { nowMicros, receipt, returned } = event
  const units = event.units === undefined ? undefined : BigInt(event.units)
  const { world: after, answer } = refund(world, nowMicros, receipt, units)
  // What is spent need not be remembered for longer than it is void: a clock that goes back from there may find all of it spent.
  const forgotten = returned === 0 && isVoid(world, latestMicros, receipt)
  if (returned !== answer && !forgotten) {
    return [{ after, wrong: [`refund gave back ${returned}, not ${answer}`] }]
  }
  if (returned > 0) return [{ after, wrong: [] }]
  // Nothing came back: the receipt may be spent by that or not, and a wrong clock may have been seen and repaired or not.
  return [world, looked(world, nowMicros, receipt)].flatMap(({ cells }) =>
    [world.spent, after.spent].map((spent) => ({ after: { ...world, cells, spent }, wrong: [] })),
  )
}

const compared = ({ world, answer }: Outcome<ExpectedDecision>, decision: Decision): Answered => ({
  after: world,
  wrong: decisionDifferences(decision, answer),
})

/** Field by field, bit by bit; a field too many is a difference too. */
function decisionDifferences(decision: Decision, expected: ExpectedDecision): string[] {
  const wrong: string[] = []
  const compare = (path: string, got: unknown, want: unknown): void => {
    if (typeof got === 'object' && got !== null && typeof want === 'object' && want !== null) {
      for (const name of new Set([...Object.keys(got), ...Object.keys(want)])) {
        compare(path ? `${path}.${name}` : name, Reflect.get(got, name), Reflect.get(want, name))
      }
    } else if (!Object.is(got, want)) wrong.push(`${path} is ${String(got)}, not ${String(want)}`)
  }
  compare('', decision, expected)
  return wrong
}

function distinct(worlds: readonly World[]): readonly World[] {
  if (worlds.length < 2) return worlds
  const text = ({ cells, receipts, spent }: World): string =>
    JSON.stringify(
      [[...cells].sort(([a], [b]) => (a < b ? -1 : 1)), [...receipts], [...spent].sort()],
      (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    )
  return [...new Map(worlds.map((world) => [text(world), world])).values()]
}
