import { memoryStore } from '@joint-ops/hitlimit/stores/memory'
import { type Options as ExpressOptions, MemoryStore as ExpressStore } from 'express-rate-limit'
import { fixedWindow, gcra, Limiter, type Policy, slidingLog, slidingWindow, tokenBucket } from 'headgate'
import { RateLimiter } from 'limiter'
import { RateLimiterMemory } from 'rate-limiter-flexible'

/**
 * Twenty days: nothing expires or refills while it is being measured, so that every decision meets a live state; no aligned window ends
 * meanwhile; and a timer can still be that long.
 */
const WINDOW_MS = 20 * 86_400_000

interface SyncHitLimitStore {
  hit(key: string, windowMs: number, limit: number): { readonly count: number; readonly resetAt: number }
}

/** A limiter with its states, all of one limit. */
export interface Session {
  /** Asks once for each index of `order`, one after the other, and counts the admissions. */
  run(keys: readonly string[], order: Int32Array): number | Promise<number>
}

export interface Contender {
  readonly name: string
  readonly packageName: string
  /** What is called, as its documentation says. */
  readonly call: string
  readonly ours: boolean
  /** With no state yet. Of a store that only counts, the caller compares with the limit. */
  start(limit: number): Session
}

/** One loop for all that answer at once. A process runs one contender, so the call in it has one target. */
function answering(admits: (key: string) => boolean): Session {
  return {
    run(keys, order) {
      let admitted = 0
      for (let i = 0; i < order.length; i++) if (admits(keys[order[i] as number] as string)) admitted++
      return admitted
    },
  }
}

const policies: Readonly<Record<string, (limit: number) => Policy>> = {
  'fixed window': (limit) => fixedWindow({ limit, window: WINDOW_MS }),
  counter: (limit) => slidingWindow({ limit, window: WINDOW_MS }),
  log: (limit) => slidingLog({ limit, window: WINDOW_MS }),
  bucket: (limit) => tokenBucket({ capacity: limit, refill: 10, per: WINDOW_MS }),
  gcra: (limit) => gcra({ burst: limit, rate: 10, per: WINDOW_MS }),
}

const headgate: readonly Contender[] = [
  ...Object.entries(policies).map(([algorithm, policy]): Contender => {
    return {
      name: `headgate ${algorithm}`,
      packageName: 'headgate',
      call: 'limiter.takeSync(key)',
      ours: true,
      start(limit) {
        const limiter = new Limiter({ policy: policy(limit) })
        return answering((key) => limiter.takeSync(key).allowed)
      },
    }
  }),
  {
    name: 'headgate fixed window, awaited',
    packageName: 'headgate',
    call: 'await limiter.take(key)',
    ours: true,
    start(limit) {
      const limiter = new Limiter({ policy: fixedWindow({ limit, window: WINDOW_MS }) })
      return {
        async run(keys, order) {
          let admitted = 0
          for (let i = 0; i < order.length; i++) {
            if ((await limiter.take(keys[order[i] as number] as string)).allowed) admitted++
          }
          return admitted
        },
      }
    },
  },
]

const rivals: readonly Contender[] = [
  {
    name: 'hitlimit',
    packageName: '@joint-ops/hitlimit',
    call: 'store.hit(key, windowMs, limit)',
    ours: false,
    start(limit) {
      // Its type allows promises, for other stores; this one says `isSync`.
      const store = memoryStore() as SyncHitLimitStore
      return answering((key) => store.hit(key, WINDOW_MS, limit).count <= limit)
    },
  },
  {
    name: 'express-rate-limit',
    packageName: 'express-rate-limit',
    call: 'await store.increment(key)',
    ours: false,
    start(limit) {
      const store = new ExpressStore()
      store.init({ windowMs: WINDOW_MS } as ExpressOptions)
      return {
        async run(keys, order) {
          let admitted = 0
          for (let i = 0; i < order.length; i++) {
            if ((await store.increment(keys[order[i] as number] as string)).totalHits <= limit) admitted++
          }
          return admitted
        },
      }
    },
  },
  {
    name: 'rate-limiter-flexible',
    packageName: 'rate-limiter-flexible',
    call: 'await limiter.consume(key)',
    ours: false,
    start(limit) {
      const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_MS / 1000 })
      return {
        async run(keys, order) {
          let admitted = 0
          for (let i = 0; i < order.length; i++) {
            try {
              await limiter.consume(keys[order[i] as number] as string)
              admitted++
            } catch (denial) {
              if (denial instanceof Error) throw denial
            }
          }
          return admitted
        },
      }
    },
  },
  {
    name: 'limiter',
    packageName: 'limiter',
    call: 'limiterOf(key).tryRemoveTokens(1)',
    ours: false,
    start(limit) {
      // It has no keys: one limiter for each, in a Map, is how it is used where there are some.
      const limiters = new Map<string, RateLimiter>()
      return answering((key) => {
        let limiter = limiters.get(key)
        if (!limiter) {
          limiter = new RateLimiter({ tokensPerInterval: limit, interval: WINDOW_MS })
          limiters.set(key, limiter)
        }
        return limiter.tryRemoveTokens(1)
      })
    },
  },
]

export const contenders: readonly Contender[] = [...headgate, ...rivals]

/** @throws Error for a name that no contender has. */
export function contenderNamed(name: string): Contender {
  const found = contenders.find((contender) => contender.name === name)
  if (found) return found
  throw new Error(`there is no contender ${JSON.stringify(name)}`)
}
