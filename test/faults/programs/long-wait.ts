import { setImmediate } from 'node:timers/promises'
import { fixedWindow, Limiter, tokenBucket } from 'headgate'

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
const warnings: string[] = []
process.on('warning', (warning) => warnings.push(warning.name))

const delays: number[] = []
const realSetTimeout = globalThis.setTimeout
globalThis.setTimeout = Object.assign((call: () => void, ms: number) => {
  delays.push(ms)
  return realSetTimeout(call, ms)
}, realSetTimeout)

const limiter = new Limiter({ policy: fixedWindow({ limit: 1, window: '30d' }) })
const stop = new AbortController()
const before = timers()
await limiter.take('user')
const waiting = limiter.wait('user', { signal: stop.signal }).catch((reason: unknown) => reason)
// A delay that overflowed would fire every millisecond, and be set anew each time.
const untilMs = performance.now() + 50
while (performance.now() < untilMs) await setImmediate()
const whileWaiting = { timers: timers() - before, set: delays.length, longestMs: Math.max(...delays) }
stop.abort('enough')
const reason = await waiting
const aborted = { timers: timers() - before, reason }

const quick = new Limiter({ policy: tokenBucket({ capacity: 1, refill: 1, per: 10 }) })
await Promise.all([quick.wait('user'), quick.wait('user'), quick.wait('user')])
const granted = { timers: timers() - before }

process.stdout.write(JSON.stringify({ waiting: whileWaiting, aborted, granted, warnings }))
