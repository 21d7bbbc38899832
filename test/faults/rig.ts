import { Limiter, type Policies, type Policy, type Store } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { describe } from 'vitest'
import type { FaultKind } from './ledger.ts'
import { STORES, type StoreMaker } from './stores.ts'

/** A limiter on a store of its own, and the hand on its clock. */
export interface Rig<L> {
  readonly clock: ManualClock
  readonly store: Store
  readonly limiter: L
}

/** Tests of one kind of fault, on every store. The ledger knows the kind, or this does not compile. */
export function kind(slug: FaultKind, tests: (maker: StoreMaker) => void): void {
  for (const maker of STORES) describe(`${slug}, ${maker.name}`, () => tests(maker))
}

/** Tests of a kind of fault that only a store in this process can have. */
export function memoryKind(slug: FaultKind, tests: () => void): void {
  describe(`${slug}, memory`, tests)
}

async function open(maker: StoreMaker, clock: ManualClock): Promise<Store> {
  const store = await maker.make(clock)
  if (store === undefined) throw new Error(`The ${maker.name} store was at hand a moment ago and is gone.`)
  return store
}

export async function rig(
  maker: StoreMaker,
  policy: Policy,
  startMs = 0,
): Promise<Rig<Limiter<Policy, Store>>> {
  const clock = new ManualClock(startMs)
  const store = await open(maker, clock)
  return { clock, store, limiter: new Limiter({ name: 'api', store, policy, clock }) }
}

export async function composedRig<const P extends Policies>(
  maker: StoreMaker,
  policies: P,
  startMs = 0,
): Promise<Rig<Limiter<P, Store>>> {
  const clock = new ManualClock(startMs)
  const store = await open(maker, clock)
  return { clock, store, limiter: new Limiter<P, Store>({ name: 'api', store, policies, clock }) }
}

/** Two limiters under one name, as two processes have them. */
export async function twinRig(maker: StoreMaker, policy: Policy, startMs = 0) {
  const clock = new ManualClock(startMs)
  const store = await open(maker, clock)
  const twin = () => new Limiter({ name: 'api', store, policy, clock, shared: true })
  return { clock, store, left: twin(), right: twin() }
}

/** How many states a store holds, where it can say. */
export function sizeOf(store: Store): number | undefined {
  return 'size' in store && typeof store.size === 'number' ? store.size : undefined
}

/** Lets everything that is due on promises happen. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
