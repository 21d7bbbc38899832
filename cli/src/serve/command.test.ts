import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runInMemory } from '../testing/memory-io.ts'
import { ask, startService } from '../testing/served.ts'
import { Tokens } from './auth.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-serve-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

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
  [
    ['--host', '192.0.2.1', '--port', '0', '--no-auth'],
    1,
    '--host 192.0.2.1 is not an address of this machine.',
  ],
  [
    ['--host', 'no.such.invalid', '--port', '0'],
    1,
    "--host no.such.invalid can't be resolved to an address.",
  ],
  [['--port', '65536'], 2, '--port must be a whole number from 0 to 65535; it is "65536".'],
  [['--port', '-1'], 2, '--port must be a whole number from 0 to 65535; it is "-1".'],
  [['--port', '80x'], 2, '--port must be a whole number from 0 to 65535; it is "80x".'],
  [['--max-keys', '0'], 2, '--max-keys must be a whole number from 1 to 16000000; it is "0".'],
  [['--drain', '10'], 2, '--drain 10 has no unit: write 10s, 10m or 10ms.'],
  [['--token-file', 'x', '--no-auth'], 2, '--token-file and --no-auth are opposites: give one of them.'],
  [['--token-file', 'none.txt'], 1, "can't read --token-file none.txt: there is no such file."],
  [['--config', 'none.yaml'], 1, "can't read none.yaml: there is no such file."],
  [
    ['--log-level', 'loud'],
    2,
    "option '--log-level <level>' argument 'loud' is invalid. Allowed choices are debug, info, warn, error, silent.",
  ],
  [['here'], 2, "too many arguments for 'serve'. Expected 0 arguments but got 1."],
])('says in one sentence what is wrong with %j', async (args, exitCode, sentence) => {
  expect(await runInMemory(['serve', ...args])).toEqual({
    exitCode,
    stdout: '',
    stderr: `headgate: ${sentence}\n`,
  })
})

it('never starts on a bad config, and says file, line, column and rule of each error', async () => {
  const file = put('bad.yaml', 'policies:\n  a: { algorithm: leaky-bucket, rate: -1, per: 1s }\nlimits: {}\n')
  expect(await runInMemory(['serve', '--port', '0', '--config', file])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: [
      `headgate: ${file} can't be used; 2 errors:`,
      `  ${file}:2:39: policies.a.rate must be a whole number from 0 to 1000000000; it is -1.`,
      `  ${file}:3:1: limits is not known here; there is policies, limiters.`,
      '',
    ].join('\n'),
  })
})

it.each([
  ['', 'holds no token: put one in it, on a line of its own.'],
  ['\n\n', 'holds no token: put one in it, on a line of its own.'],
  [
    'long-enough-to-do\nsecret\n',
    ', line 2: a token must have 16 to 512 characters; this one has 6. Make one with `openssl rand -hex 32`.',
  ],
  [
    'secret but with spaces',
    ', line 1: a token is of letters, digits and the signs - . _ ~ + / with = at its end; this one has others.',
  ],
])(
  'never starts on a token file that lets in nobody or anybody, and shows no token: %j',
  async (text, rule) => {
    const { exitCode, stderr } = await runInMemory([
      'serve',
      '--port',
      '0',
      '--token-file',
      put('tokens', text),
    ])
    expect(exitCode).toBe(1)
    expect(stderr.replace(folder, '')).toBe(
      `headgate: --token-file /tokens${rule.startsWith(',') ? '' : ' '}${rule}\n`,
    )
    expect(stderr).not.toContain('secret')
  },
)

it.each(['0.0.0.0', '::'])('never listens on %s before it is said who may ask', async (host) => {
  expect(await runInMemory(['serve', '--port', '0', '--host', host])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `headgate: --host ${host} can be reached from elsewhere: say who may ask with --token-file FILE, or with --no-auth that anyone may.\n`,
  })
})

it('listens on a name as on an address, and on IPv6', async () => {
  for (const host of ['localhost', '::1', '127.0.0.2']) {
    const { service, origin } = await startService({ host })
    expect((await ask(`${origin}/healthz`)).status).toBe(200)
    expect(service.isOpen).toBe(false)
    await service.stop(1000)
  }
})

it('knows when it is open to the network', async () => {
  const open = await startService({ host: '0.0.0.0', isOpen: true })
  expect(open.service.isOpen).toBe(true)
  await open.service.stop(1000)
  const guarded = await startService({ host: '0.0.0.0', tokens: new Tokens(['a-token-of-some-length']) })
  expect(guarded.service.isOpen).toBe(false)
  await guarded.service.stop(1000)
})
