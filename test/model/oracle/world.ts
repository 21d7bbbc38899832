import type { Charged } from './algorithm.ts'
import { answerOf, type ExpectedDecision } from './answer.ts'
import { type Cell, type Held, Policed, type Verdict, voidsAt } from './cell.ts'
import { most } from './instant.ts'
import { type PolicySpec, shapeOf } from './spec.ts'

/** A key for each policy that applies. */
export type Keys = { readonly [policy: string]: string }
export type Applied = { readonly [policy: string]: PolicySpec }

interface Place {
  readonly id: string
  readonly spec: PolicySpec
  readonly charged: Charged
  readonly generation: number
}

/** All that a store of this model knows: the stored cells, and the receipts given out. Never changed, only replaced. */
export interface World {
  readonly cells: ReadonlyMap<string, Cell>
  readonly receipts: ReadonlyMap<string, readonly Place[]>
  readonly spent: ReadonlySet<string>
}

export const EMPTY_WORLD: World = { cells: new Map(), receipts: new Map(), spent: new Set() }

export interface Outcome<A> {
  readonly world: World
  readonly answer: A
}

/** A question about some keys, under these policies, at this instant. */
export interface Asked {
  readonly keys: Keys
  readonly policies: Applied
  readonly nowMicros: bigint
}

export function idOf(policy: string, spec: PolicySpec, key: string): string {
  return JSON.stringify([policy, shapeOf(spec), key])
}

interface Seat {
  readonly policy: string
  readonly id: string
  readonly spec: PolicySpec
  readonly policed: Policed
}

/** In the order of declaration, whichever the order of the keys. */
function seats(world: World, { keys, policies, nowMicros }: Asked): Seat[] {
  return Object.entries(policies).flatMap(([policy, spec]) => {
    const key = keys[policy]
    if (key === undefined) return []
    const id = idOf(policy, spec, key)
    return [{ policy, id, spec, policed: new Policed(spec, world.cells.get(id), nowMicros) }]
  })
}

function written(world: World, cells: Iterable<readonly [string, Held]>): World {
  const next = new Map(world.cells)
  for (const [id, cell] of cells) {
    if (cell) next.set(id, cell)
    else next.delete(id)
  }
  return { ...world, cells: next }
}

const verdicts = (all: readonly Seat[], cost: bigint): Map<string, Verdict> =>
  new Map(all.map(({ policy, policed }) => [policy, policed.decide(cost)]))

export function peek(world: World, asked: Asked, cost: bigint): Outcome<ExpectedDecision> {
  const all = seats(world, asked)
  const decided = verdicts(all, cost === 0n ? 1n : cost)
  const repaired = written(
    world,
    all.map(({ id, policed }) => [id, policed.kept]),
  )
  return { world: repaired, answer: answerOf(decided, decided, asked.nowMicros) }
}

export function take(world: World, asked: Asked, cost: bigint, receipt?: string): Outcome<ExpectedDecision> {
  const asking = peek(world, asked, cost)
  if (cost === 0n || !asking.answer.allowed) return asking
  const all = seats(world, asked)
  const cells = all.map(({ id, policed }) => [id, policed.charge(cost)] as const)
  const charged = written(world, cells)
  const after = seats(charged, asked)
  const shown = verdicts(after, 0n)
  const answer = answerOf(verdicts(all, cost), shown, asked.nowMicros)
  if (receipt === undefined) return { world: charged, answer }
  const places = all.map(({ id, spec, policy, policed }, index): Place => {
    const cell = cells[index]?.[1] as Cell
    const end = shown.get(policy)?.reset
    return { id, spec, charged: policed.charged(cell, cost, end), generation: cell.generation }
  })
  return { world: { ...charged, receipts: new Map(charged.receipts).set(receipt, places) }, answer }
}

/** Units after the fact; answers what a peek says right after. */
export function charge(world: World, asked: Asked, units: bigint): Outcome<ExpectedDecision> {
  if (units === 0n) return peek(world, asked, 1n)
  const all = seats(world, asked)
  const charged = written(
    world,
    all.map(({ id, policed }) => [id, policed.charge(units)]),
  )
  return peek(charged, asked, 1n)
}

/**
 * Gives back, of each policy what its rules allow; answers the most that any one gave. Asking for nothing does nothing; asking for more spends
 * the receipt, whatever came back.
 */
export function refund(
  world: World,
  nowMicros: bigint,
  receipt: string,
  units: bigint | undefined,
): Outcome<number> {
  const places = world.receipts.get(receipt)
  if (!places || units === 0n || world.spent.has(receipt)) return { world, answer: 0 }
  const returns = places.map(({ id, spec, charged, generation }) => {
    const policed = new Policed(spec, world.cells.get(id), nowMicros)
    return { id, ...policed.refund(charged, generation, units ?? charged.units) }
  })
  const gave = returns.reduce((best, { units: back }) => most(best, back), 0n)
  const after = written(
    world,
    returns.map(({ id, cell }) => [id, cell]),
  )
  return { world: { ...after, spent: new Set(after.spent).add(receipt) }, answer: Number(gave) }
}

/** Whether by this instant nothing that the receipt stands for is left to give back. */
export function isVoid(world: World, nowMicros: bigint, receipt: string): boolean {
  return (world.receipts.get(receipt) ?? []).every(({ spec, charged }) => {
    const end = voidsAt(spec, charged)
    return end !== undefined && end <= nowMicros
  })
}

/** The places of a receipt looked at, and a wrong clock repaired there. */
export function looked(world: World, nowMicros: bigint, receipt: string): World {
  const places = world.receipts.get(receipt) ?? []
  return written(
    world,
    places.map(({ id, spec }) => [id, new Policed(spec, world.cells.get(id), nowMicros).kept]),
  )
}

export function reset(world: World, { keys, policies }: Pick<Asked, 'keys' | 'policies'>): World {
  return written(
    world,
    Object.entries(policies).flatMap(([policy, spec]): (readonly [string, Held])[] => {
      const key = keys[policy]
      return key === undefined ? [] : [[idOf(policy, spec, key), undefined]]
    }),
  )
}
