// Edge runtimes forbid timers, I/O and randomness while a module loads, and their timers are plain numbers.
const forbidden = (name: string) => () => {
  throw new Error(`${name} is forbidden while a module loads`)
}
const real = { setTimeout, setInterval, fetch, crypto, Date, performance }
const put = (name: string, value: unknown): void => {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'fetch']) put(name, forbidden(name))
put('crypto', {
  getRandomValues: forbidden('randomness'),
  randomUUID: forbidden('randomness'),
  subtle: undefined,
})
put('performance', { now: forbidden('the time') })
put('Date', { now: forbidden('the time') })

const { fixedWindow, gcra, Limiter, MemoryStore, slidingWindow } = await import('headgate')
const limiter = new Limiter({ policy: fixedWindow({ limit: 2, window: 20 }) })
const composed = new Limiter({
  name: 'edge',
  store: new MemoryStore(),
  policies: { user: slidingWindow({ limit: 5, window: '1h' }), all: gcra({ rate: 5, per: '1h', burst: 5 }) },
})

for (const [name, value] of Object.entries(real)) put(name, value)
put('setInterval', () => 1)
put('setTimeout', (call: () => void, ms: number) => Number(real.setTimeout(call, ms)))

const first = await limiter.take('user', { cost: 2 })
const both = await composed.take({ user: 'ann', all: 'all' })
const later = await limiter.wait('user')
const states = [limiter.store.size, composed.store.size]
const remaining = [first.remaining, both.remaining, later.remaining]
process.stdout.write(JSON.stringify({ remaining, states }))
