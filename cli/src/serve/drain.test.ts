import { afterEach, describe, expect, it } from 'vitest'
import { Child, SOURCES } from '../testing/child.ts'
import { take } from '../testing/served.ts'
import { answersIn, postBytes, Wire } from '../testing/wire.ts'

const REQUEST = postBytes('/v1/take', JSON.stringify({ policy: 'default', key: 'k' }))
let child: Child | undefined

async function serve(...args: string[]) {
  const started = await Child.serve(SOURCES, ...args)
  child = started.child
  return started
}

afterEach(() => child?.kill())

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  it('answers requests that were half there, takes no new ones, and ends with 0', async () => {
    const { child, origin, port } = await serve('--drain', '60s')
    const wires = await Promise.all(Array.from({ length: 50 }, () => Wire.open(port)))
    for (const wire of wires) wire.send(REQUEST.head + REQUEST.body.slice(0, 7))
    // Answered after the fifty were read as far as they go.
    await take(origin, 'other')
    child.signal(signal)
    await child.until(new RegExp(`${signal}: answering`))
    await expect(untilRefused(origin)).resolves.toBe('refused')
    for (const wire of wires) wire.send(REQUEST.body.slice(7))
    for (const wire of wires) {
      const received = await wire.untilClosed()
      expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n/)
      expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n')
      expect(received).toContain('"allowed":true')
    }
    const ended = await child.ended
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ended.stdout).toMatch(/Ended\.\n$/)
  })
})

describe('when it ends', () => {
  it('answers 4,000 requests that were sent before the signal, on new connections and on old ones', async () => {
    const { child, port } = await serve('--drain', '60s')
    const [old, fresh] = [await open(port, 200), await open(port, 1800)]
    const one = REQUEST.head + REQUEST.body
    for (const wire of old) wire.send(one)
    for (const wire of old) await wire.until('"each"')
    // Two each: an answer that says that its connection ends must not take the next one along.
    for (const wire of [...old, ...fresh]) wire.send(one + one)
    child.signal('SIGTERM')
    let answered = 0
    for (const wire of [...old, ...fresh]) {
      const answers = answersIn(await wire.untilClosed(), 'POST', '/v1/take')
      answered += answers.filter(({ status }) => status === 200).length
    }
    expect(answered).toBe(200 + 4000)
    expect(await child.ended).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('waits for no connection that says nothing', async () => {
    const { child, port } = await serve('--drain', '1h')
    const silent = await Wire.open(port)
    const idle = await Wire.open(port)
    idle.send(REQUEST.head + REQUEST.body)
    await idle.until('"each"')
    child.signal('SIGTERM')
    expect(await child.ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await silent.untilClosed()).toBe('')
  })

  it('waits no longer than it was told for a request that never comes whole, and says so', async () => {
    const { child, origin, port } = await serve('--drain', '300ms')
    const slow = await Wire.open(port)
    slow.send(REQUEST.head)
    await take(origin, 'other')
    child.signal('SIGTERM')
    const ended = await child.ended
    expect(ended.exitCode).toBe(0)
    expect(JSON.parse(ended.stderr)).toMatchObject({
      level: 'warn',
      cut: 1,
      drainMs: 300,
      msg: 'cut 1 connection whose request had not arrived whole in time',
    })
  })

  it('ends at once on a second signal', async () => {
    const { child, origin, port } = await serve('--drain', '1h')
    const slow = await Wire.open(port)
    slow.send(REQUEST.head)
    await take(origin, 'other')
    child.signal('SIGTERM')
    await child.until(/SIGTERM: answering/)
    child.signal('SIGINT')
    expect(await child.ended).toMatchObject({ signal: 'SIGINT' })
  })
})

/** Some at a time: the system may let no more wait. */
async function open(port: number, count: number): Promise<Wire[]> {
  const wires: Wire[] = []
  while (wires.length < count) {
    const more = Array.from({ length: Math.min(100, count - wires.length) }, () => Wire.open(port))
    wires.push(...(await Promise.all(more)))
  }
  return wires
}

/** A listening socket closes a moment after the signal. */
async function untilRefused(origin: string): Promise<string> {
  for (;;) {
    try {
      await (await fetch(`${origin}/healthz`)).text()
    } catch {
      return 'refused'
    }
  }
}
