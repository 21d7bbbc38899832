import { expect, it } from 'vitest'
import { runInMemory } from '../testing/memory-io.ts'
import { startService } from '../testing/served.ts'

it('says in one sentence that its port is in use', async () => {
  const { service, port } = await startService()
  expect(await runInMemory(['serve', '--port', String(port)])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `headgate: port ${port} on 127.0.0.1 is in use: stop what listens there, or choose another with --port.\n`,
  })
  await service.stop(1000)
})

it.each([
  [['--host', '192.0.2.1', '--port', '0'], 1, '--host 192.0.2.1 is not an address of this machine.'],
  [['--port', '65536'], 2, '--port must be a whole number from 0 to 65535; it is "65536".'],
  [['--port', '-1'], 2, '--port must be a whole number from 0 to 65535; it is "-1".'],
  [['--port', '80x'], 2, '--port must be a whole number from 0 to 65535; it is "80x".'],
  [['--max-keys', '0'], 2, '--max-keys must be a whole number from 1 to 16000000; it is "0".'],
  [['--drain', '10'], 2, '--drain 10 has no unit: write 10s, 10m or 10ms.'],
  [['here'], 2, "too many arguments for 'serve'. Expected 0 arguments but got 1."],
])('says in one sentence what is wrong with %j', async (args, exitCode, sentence) => {
  expect(await runInMemory(['serve', ...args])).toEqual({
    exitCode,
    stdout: '',
    stderr: `headgate: ${sentence}\n`,
  })
})

it('listens on a name as on an address, and on IPv6', async () => {
  for (const host of ['localhost', '::1']) {
    const { service, origin } = await startService({ host })
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    expect(service.isLoopback).toBe(true)
    await service.stop(1000)
  }
})

it('knows when it can be reached from elsewhere', async () => {
  const { service } = await startService({ host: '0.0.0.0' })
  expect(service.isLoopback).toBe(false)
  await service.stop(1000)
})
