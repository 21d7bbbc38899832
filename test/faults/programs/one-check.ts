import { fixedWindow, Limiter, MemoryStore, tokenBucket } from 'headgate'

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
const before = timers()

const store = new MemoryStore()
const limiters = ['first', 'second', 'third'].map(
  (name) => new Limiter({ name, store, policy: fixedWindow({ limit: 1, window: '30d' }) }),
)
for (const limiter of limiters) await limiter.take('user')
const shared = timers() - before

const own = new Limiter({ policy: tokenBucket({ capacity: 2, refill: 1, per: '1d' }) })
await own.reserve('user', { cost: 2 })
const stop = new AbortController()
const waiting = own.wait('user', { signal: stop.signal }).catch((reason: unknown) => reason)
stop.abort('enough')
await waiting
const afterAbort = timers() - before

const closed = new Limiter({ policy: tokenBucket({ capacity: 1, refill: 1, per: '1d' }) })
await closed.take('user')
const refused = closed.wait('user').catch((error: unknown) => error)
await closed.close()
await refused
const afterClose = timers() - before
await closed.close()
await closed.store.close()
await closed.store.close()

// The first limiters and their store stay open: that must not keep this process alive.
process.stdout.write(JSON.stringify({ shared, afterAbort, afterClose, afterClosingTwice: timers() - before }))
