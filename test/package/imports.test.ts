import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, makeConsumer } from './consumer.ts'

const CALLABLE = [
  'Limiter',
  'MemoryStore',
  'fixedWindow',
  'slidingWindow',
  'slidingLog',
  'tokenBucket',
  'gcra',
  'leakyBucket',
  'HeadgateError',
]
const USE = `
  const missing = ${JSON.stringify(CALLABLE)}.filter((name) => typeof library[name] !== 'function')
  const limiter = new library.Limiter({ policy: library.fixedWindow({ limit: 1, window: '1m' }) })
  const first = limiter.takeSync('a')
  const second = limiter.takeSync('a')
  console.log(JSON.stringify({ missing, first: first.allowed, second: second.allowed, def: typeof library.default }))`
const WORKS = { missing: [], first: true, second: false, def: 'undefined' }

describe('from this Node the library', () => {
  let consumer: Consumer
  const printed = (file: string): unknown => {
    const { code, output } = consumer.node(['--no-warnings', file])
    expect(code, output).toBe(0)
    return JSON.parse(output)
  }

  beforeAll(() => {
    consumer = makeConsumer()
    consumer.write({
      'named.mjs': `import { ${CALLABLE.join(', ')} } from 'headgate'\nconst library = { ${CALLABLE.join(', ')} }${USE}`,
      'namespace.mjs': `import * as library from 'headgate'${USE}`,
      'dynamic.cjs': `import('headgate').then((library) => {${USE}})`,
      'require.cjs': `const library = require('headgate')${USE}`,
      'require-testing.cjs': `const { ManualClock } = require('headgate/testing')
        console.log(JSON.stringify(new ManualClock(5).nowMs()))`,
      'same.cjs': `const { Limiter } = require('headgate')
        import('headgate').then((library) => console.log(JSON.stringify(library.Limiter === Limiter)))`,
      'default.mjs': `import headgate from 'headgate'\nconsole.log(typeof headgate)`,
    })
  })
  afterAll(() => consumer.remove())

  it('is imported by name', () => expect(printed('named.mjs')).toEqual(WORKS))
  it('is imported as a namespace', () => expect(printed('namespace.mjs')).toEqual(WORKS))
  it('is imported from CommonJS', () => expect(printed('dynamic.cjs')).toEqual(WORKS))
  it('is required from CommonJS', () => expect(printed('require.cjs')).toEqual(WORKS))
  it('is required by its other subpath too', () => expect(printed('require-testing.cjs')).toBe(5))
  it('is one library, imported or required', () => expect(printed('same.cjs')).toBe(true))

  it('offers no default export, and says so before anything runs', () => {
    const { code, output } = consumer.node(['default.mjs'])
    expect(code).toBe(1)
    expect(output).toContain("does not provide an export named 'default'")
  })
})
