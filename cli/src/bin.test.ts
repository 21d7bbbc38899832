import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Child, SOURCES } from './testing/child.ts'
import { SITE_LOG } from './testing/fixture.ts'
import { take } from './testing/served.ts'

const BIN = fileURLToPath(new URL('../bin/headgate.js', import.meta.url))
const IS_BUILT = existsSync(new URL('../dist/main.js', import.meta.url))
const REPLAY = ['replay', SITE_LOG, '--algorithm', 'fixed-window', '--limit', '20', '--window', '1m']

// What is built is looked at where it was built, as `npm test` does first.
describe.each([['the sources', SOURCES], ...(IS_BUILT ? ([['the build', [BIN]]] as const) : [])] as const)(
  '%s',
  (_, program) => {
    it('replay the site log', async () => {
      const { exitCode, stdout, stderr } = await new Child(program, [...REPLAY, '--json']).ended
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ requests: 10_000, denied: 931, deniedKeys: 50 })
    })

    it('fail with one sentence and no stack', async () => {
      const { exitCode, stdout, stderr } = await new Child(program, [
        'replay',
        'none.log',
        ...REPLAY.slice(2),
      ]).ended
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: "headgate: can't read none.log: there is no such file.\n",
      })
    })

    it('serve until they are told to end', async () => {
      const { child, origin } = await Child.serve(program)
      try {
        expect(await take(origin, 'user:42')).toMatchObject({ allowed: true, limit: 100, remaining: 99 })
        child.signal('SIGTERM')
        const { exitCode, stdout, stderr } = await child.ended
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
        expect(stdout).toContain('policy default: sliding-window, 100 per 1m')
      } finally {
        child.kill()
      }
    })
  },
)

it('says in one sentence that it is not built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bin-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  copyFileSync(BIN, join(folder, 'bin/headgate.js'))
  const { exitCode, stderr } = await new Child([join(folder, 'bin/headgate.js')], []).ended
  rmSync(folder, { recursive: true })
  expect(exitCode).toBe(1)
  expect(stderr).toBe('headgate: this checkout is not built yet; run `npm run build` at its root first.\n')
})
