import process from 'node:process'
import { fixedWindow, Limiter, MemoryStore, StoreError } from 'headgate'

export interface FloodTask {
  readonly maxKeys: number
  readonly newKeys: number
  /** How many keys are over their limit before it begins. */
  readonly denials: number
}

/** What a flood of new keys did to a full memory store. */
export interface Flooded {
  readonly admitted: number
  /** Failed with ERR_HEADGATE_SATURATED: neither admitted nor denied. */
  readonly refused: number
  readonly keysHeld: number
  readonly denialsKept: number
  readonly events: number
  /** Retained, in the heap and in typed arrays: when the store was just full, and when the flood was over. */
  readonly bytesWhenFull: number
  readonly bytesAfter: number
  /** The most that the process had of the machine's memory, in bytes. */
  readonly peakRssBytes: number
  readonly nsPerRefusal: number
}

/** Fills a store with denials first, then with keys that are new each time. */
export function flood({ maxKeys, newKeys, denials }: FloodTask): Flooded {
  const store = new MemoryStore({ maxKeys })
  const limiter = new Limiter({ name: 'flood', store, policy: fixedWindow({ limit: 1, window: '1h' }) })
  let events = 0
  limiter.on('saturated', () => {
    events++
  })
  for (let i = 0; i < denials; i++) limiter.takeSync(`denied ${i}`)

  const fits = Math.min(newKeys, maxKeys - denials)
  const first = attempt(limiter, 0, fits)
  const bytesWhenFull = retainedBytes()
  const start = process.cpuUsage()
  const rest = attempt(limiter, fits, newKeys)
  const { user, system } = process.cpuUsage(start)

  let denialsKept = 0
  for (let i = 0; i < denials; i++) if (!limiter.takeSync(`denied ${i}`).allowed) denialsKept++
  return {
    admitted: first.admitted + rest.admitted,
    refused: first.refused + rest.refused,
    keysHeld: store.size,
    denialsKept,
    events,
    bytesWhenFull,
    bytesAfter: retainedBytes(),
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    nsPerRefusal: ((user + system) * 1000) / Math.max(1, newKeys - fits),
  }
}

function attempt(limiter: Limiter, from: number, to: number): { admitted: number; refused: number } {
  let admitted = 0
  let refused = 0
  for (let i = from; i < to; i++) {
    try {
      if (limiter.takeSync(`new ${i}`).allowed) admitted++
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'ERR_HEADGATE_SATURATED')) throw error
      refused++
    }
  }
  return { admitted, refused }
}

function retainedBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
