import { MemoryStore } from 'headgate'
import { FaultyStore, storeConformance } from 'headgate/testing'
import { describe, it } from 'vitest'

const runner = { describe, it }

storeConformance('memory', async (clock) => new MemoryStore({ clock }), runner)
storeConformance(
  'memory, with room for little',
  async (clock) => new MemoryStore({ clock, maxKeys: 2000 }),
  runner,
)
storeConformance(
  'faulty, while it works',
  async (clock) => new FaultyStore(new MemoryStore({ clock })),
  runner,
)
