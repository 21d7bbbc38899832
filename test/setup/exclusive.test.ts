import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Checkout, type Running, until } from './checkout.ts'

const TURNS = 5
const WORKERS = 4

const IMPORT = `import { exclusively } from './scripts/lib/exclusive.mjs'\n`
/** Counts in a way that loses a count as soon as two do it at once. */
const COUNT = `${IMPORT}
  import { readFileSync, writeFileSync } from 'node:fs'
  import { setImmediate as turn } from 'node:timers/promises'
  for (let i = 0; i < ${TURNS}; i++) {
    await exclusively('claim', async () => {
      const seen = Number(readFileSync('counter', 'utf8'))
      for (let t = 0; t < 20; t++) await turn()
      writeFileSync('counter', String(seen + 1))
    })
  }`
const HOLD = `${IMPORT}
  await exclusively('claim', () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)) })`

describe('the claim on a checkout', () => {
  let checkout: Checkout
  const run = (program: string): Running =>
    checkout.start(process.execPath, ['--input-type=module', '-e', program])
  const count = async (): Promise<number> => {
    const workers = Array.from({ length: WORKERS }, () => run(COUNT))
    for (const { ended } of workers) expect(await ended).toMatchObject({ code: 0 })
    return Number(readFileSync(checkout.path('counter'), 'utf8'))
  }

  beforeAll(() => {
    checkout = new Checkout()
  })
  beforeEach(() => writeFileSync(checkout.path('counter'), '0'))
  afterAll(() => checkout.remove())

  it('lets one process work at a time', async () => {
    expect(await count()).toBe(WORKERS * TURNS)
  })

  it('passes from a dead process to one of those that find it, not to two', async () => {
    writeFileSync(
      checkout.path('claim'),
      JSON.stringify({ owner: { pid: process.pid, started: 'long ago' } }),
    )
    expect(await count()).toBe(WORKERS * TURNS)
  })

  it('is waited for while its holder lives, and taken when it is killed', async () => {
    const holder = run(HOLD)
    await until(() => holder.output().includes('held'))
    const counting = count()
    const waiter = run(COUNT)
    await until(() => waiter.output().includes(`another setup is at work here (process ${holder.child.pid})`))
    expect(readFileSync(checkout.path('counter'), 'utf8')).toBe('0')
    holder.child.kill('SIGKILL')
    expect(await counting).toBeGreaterThanOrEqual(WORKERS * TURNS)
    await waiter.ended
    expect(readFileSync(checkout.path('counter'), 'utf8')).toBe(String((WORKERS + 1) * TURNS))
  })

  it('is given back by a holder that is told to end, which then ends by that signal', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const holder = run(HOLD)
      await until(() => holder.output().includes('held'))
      holder.child.kill(signal)
      expect((await holder.ended).signal).toBe(signal)
    }
    expect(await count()).toBe(WORKERS * TURNS)
  })
})
