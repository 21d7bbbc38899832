import { rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Checkout, type Running, until } from './checkout.ts'

describe('on a fresh checkout', () => {
  let checkout: Checkout

  /** Starts the service on a free port, and resolves with where it listens. */
  const serve = async (
    program: string,
    args: readonly string[],
  ): Promise<{ running: Running; origin: string }> => {
    const running = checkout.start(program, [...args, '--port', '0'])
    const dead = running.ended.then(({ output }) => Promise.reject(new Error(`it ended: ${output}`)))
    const origin = await Promise.race([
      dead,
      until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(running.output())?.[0]),
    ])
    dead.catch(() => {})
    return { running, origin }
  }
  const take = async (origin: string): Promise<unknown> => {
    const response = await fetch(`${origin}/v1/take`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ policy: 'default', key: 'user:42' }),
    })
    return response.json()
  }
  const refusesNow = (origin: string): Promise<boolean> =>
    fetch(origin).then(
      () => false,
      () => true,
    )

  beforeAll(() => {
    checkout = new Checkout()
  })
  afterAll(() => checkout.remove())

  it('npm start alone brings a service that decides, and that drains when npm is told to end', async () => {
    const { running, origin } = await serve('npm', ['start', '--'])
    expect(await take(origin)).toMatchObject({ allowed: true, policy: 'default' })
    running.child.kill('SIGTERM')
    const { code, output } = await running.ended
    expect(code, output).toBe(0)
    expect(await refusesNow(origin)).toBe(true)
  })

  it('npm start works again after npm was killed: the service went with it', async () => {
    const first = await serve('npm', ['start', '--'])
    first.running.child.kill('SIGKILL')
    await first.running.ended
    await until(() => refusesNow(first.origin))
    const second = await serve('npm', ['start', '--'])
    expect(await take(second.origin)).toMatchObject({ allowed: true })
    second.running.child.kill('SIGTERM')
    await second.running.ended
  })

  it('npm test names each check that failed, and goes on past the first', async () => {
    writeFileSync(checkout.path('src/stray.ts'), `import "node:fs"\nexport const   stray = 1`)
    const { code, output } = await checkout.script('test', ['--only', 'lint,imports,build'])
    rmSync(checkout.path('src/stray.ts'))
    expect(code, output).toBe(1)
    expect(output).toMatch(/^FAIL {2}lint +[\d.]+ s$/m)
    expect(output).toMatch(/^FAIL {2}imports +[\d.]+ s$/m)
    expect(output).toMatch(/^ok {4}build +[\d.]+ s$/m)
    expect(output).toContain('library-stands-alone: src/stray.ts')
    expect(output).toMatch(/^Checks: 1 passed, 2 failed$/m)
  })

  it('npm test counts what passed and what failed in its last line', async () => {
    const tests = `import { expect, it } from 'vitest'
      for (const is of [1, 2, 3]) it('is ' + is, () => expect(is).not.toBe(2))`
    writeFileSync(checkout.path('src/stray.test.ts'), tests)
    const { code, output } = await checkout.script('test', ['--only', 'tests', '--', 'src/stray.test.ts'])
    rmSync(checkout.path('src/stray.test.ts'))
    expect(code, output).toBe(1)
    expect(output.trimEnd().split('\n').at(-1)).toBe('Tests: 2 passed, 1 failed')
  })

  it('npm test counts a file of tests that cannot be loaded as a failure', async () => {
    writeFileSync(checkout.path('src/stray.test.ts'), `import './gone.ts'`)
    const { code, output } = await checkout.script('test', ['--only', 'tests', '--', 'src/stray.test.ts'])
    rmSync(checkout.path('src/stray.test.ts'))
    expect(code, output).toBe(1)
    expect(output.trimEnd().split('\n').at(-1)).toBe('Tests: 0 passed, 1 failed')
  })
})
