import { MemoryStore, type Store } from 'headgate'
import { FaultyStore, ManualClock } from 'headgate/testing'

/** A kind of store that the suite runs on. */
export interface StoreMaker {
  readonly name: string
  /** Whether it answers within the call, so that the length of a wait is known at once. */
  readonly sync: boolean
  /** A fresh, empty store that decides on this clock; undefined where what it needs is not at hand. */
  readonly make: (clock: ManualClock) => Promise<Store | undefined>
}

/** Every store there is. A new one is a line here, and the whole suite runs on it. */
const MAKERS: readonly StoreMaker[] = [
  { name: 'memory', sync: true, make: async (clock) => new MemoryStore({ clock }) },
  // Answers by promise alone, as a store over a wire does.
  {
    name: 'memory by promise',
    sync: false,
    make: async (clock) => new FaultyStore(new MemoryStore({ clock })),
  },
]

async function atHand(maker: StoreMaker): Promise<boolean> {
  const store = await maker.make(new ManualClock(0))
  await store?.close()
  return store !== undefined
}

const present = await Promise.all(MAKERS.map(atHand))

/** The stores that can be tested here. */
export const STORES: readonly StoreMaker[] = MAKERS.filter((_, index) => present[index])
