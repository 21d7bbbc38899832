import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runInMemory } from './testing/memory-io.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

describe('the command line', () => {
  it('says its version', async () => {
    expect(await runInMemory(['--version'])).toEqual({
      exitCode: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    })
  })

  it.each([[['--help']], [['serve', '--help']], [['replay', '--help']], [['help', 'replay']]])(
    'helps with examples: %j',
    async (args) => {
      const { exitCode, stdout, stderr } = await runInMemory(args)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout).toMatch(/^Usage: headgate/)
      expect(stdout).toMatch(/Examples:\n {2}headgate /)
    },
  )

  it('shows its help, and fails, when it is told nothing', async () => {
    const { exitCode, stderr } = await runInMemory([])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Usage: headgate')
  })

  it.each([
    [['sereve'], "headgate: unknown command 'sereve' (Did you mean serve?)\n"],
    [['--colour'], "headgate: unknown option '--colour'\n"],
  ])('names what it does not know: %j', async (args, stderr) => {
    expect(await runInMemory(args)).toEqual({ exitCode: 2, stdout: '', stderr })
  })
})
