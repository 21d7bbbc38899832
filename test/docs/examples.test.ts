import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from './pages.ts'

const PATIENCE_MS = 60_000
const names = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-/.test(name))

function node(...args: readonly string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env
  const done = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  })
  expect(done.status, done.stderr + done.stdout).toBe(0)
  return done.stdout
}

describe('the examples', () => {
  // They import the library by its name, and so as it is built.
  beforeAll(() => void node('scripts/build.mjs'))

  it('are numbered without gaps, each a program and a page', () => {
    expect(names.map((name) => Number(name.slice(0, 2)))).toEqual(names.map((_, i) => i + 1))
    for (const name of names) {
      expect(existsSync(join(root, 'examples', name, 'main.mjs')), name).toBe(true)
      expect(existsSync(join(root, 'examples', name, 'README.md')), name).toBe(true)
    }
  })

  it('are all on the page that lists them', () => {
    const page = readFileSync(join(root, 'examples/README.md'), 'utf8')
    expect(names.filter((name) => !page.includes(`(${name}/README.md)`))).toEqual([])
  })

  it.each(names)('%s prints what its page says', async (name) => {
    const path = join(root, 'examples', name, 'README.md')
    const page = readFileSync(path, 'utf8')
    const printed = node(`examples/${name}/main.mjs`)
    const block = /(?<=^```text\n)[\s\S]*?(?=^```$)/m
    expect(page).toMatch(block)
    // With -u the pages are written anew, by what the programs really print.
    await expect(page.replace(block, () => printed)).toMatchFileSnapshot(path)
  })
})
