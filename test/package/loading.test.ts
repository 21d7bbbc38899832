import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, makeConsumer } from './consumer.ts'

/** What a sandbox or a worker forbids while a module loads. */
const TRAPS = `
  const forbid = (owner, name) => {
    const trap = () => { throw new Error('called while it should rest: ' + name) }
    Object.defineProperty(owner, name, { value: trap, configurable: true })
  }
  const names = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']
  for (const name of names) forbid(globalThis, name)
  forbid(Date, 'now')
  forbid(performance, 'now')
  forbid(Math, 'random')
  Object.defineProperty(globalThis, 'crypto', {
    get() { throw new Error('called while it should rest: crypto') },
  })`

const POLICIES = `{
  fixed: library.fixedWindow({ limit: 5, window: '1m' }),
  counter: library.slidingWindow({ limit: 5, window: '1m' }),
  log: library.slidingLog({ limit: 5, window: '1m' }),
  bucket: library.tokenBucket({ capacity: 5, refill: 1, per: '1s' }),
  gcra: library.gcra({ rate: 1, per: '1s', burst: 5 }),
}`

describe('loading the library', () => {
  let consumer: Consumer
  const ends = (file: string, flags: readonly string[] = []): string => {
    const { code, output } = consumer.node([...flags, file], 10_000)
    expect(code, output).toBe(0)
    return output.trim()
  }

  beforeAll(() => {
    consumer = makeConsumer()
    consumer.write({
      'traps.mjs': TRAPS,
      'sprung.mjs': 'try { Date.now() } catch (error) { console.log(error.message) }',
      'load.mjs': `import 'headgate'\nimport 'headgate/testing'\nconsole.log('loaded')`,
      'construct.mjs': `import * as library from 'headgate'
        new library.Limiter({ policy: library.fixedWindow({ limit: 5, window: '1m' }) })
        new library.Limiter({ policies: ${POLICIES} })
        new library.MemoryStore()
        console.log('made')`,
      'globals.mjs': `const before = Object.getOwnPropertyNames(globalThis)
        await import('headgate')
        await import('headgate/testing')
        console.log(JSON.stringify(Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name))))`,
      'take.mjs': `import * as library from 'headgate'
        const limiter = new library.Limiter({ policies: ${POLICIES} })
        const key = { fixed: 'a', counter: 'a', log: 'a', bucket: 'a', gcra: 'a' }
        console.log((await limiter.take(key)).allowed)`,
      'wait.mjs': `import * as library from 'headgate'
        const limiter = new library.Limiter({ policy: library.fixedWindow({ limit: 1, window: '50ms' }) })
        await limiter.take('a')
        console.log((await limiter.wait('a')).allowed)`,
    })
  })
  afterAll(() => consumer.remove())

  it('is watched by traps that spring', () => {
    expect(ends('sprung.mjs', ['--import', './traps.mjs'])).toBe('called while it should rest: now')
  })

  it('sets no timer, reads no clock, draws no random number and fetches nothing', () => {
    expect(ends('load.mjs', ['--import', './traps.mjs'])).toBe('loaded')
  })

  it('and making limiters of every policy does none of it either', () => {
    expect(ends('construct.mjs', ['--import', './traps.mjs'])).toBe('made')
  })

  it('adds nothing to the global object', () => expect(ends('globals.mjs')).toBe('[]'))

  it('lets a process that took once end by itself', () => expect(ends('take.mjs')).toBe('true'))
  it('lets a process that waited end by itself', () => expect(ends('wait.mjs')).toBe('true'))
})
