import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Checkout, type Ended } from './checkout.ts'

const SCRIPTS = ['setup', 'start', 'build', 'test']

describe('a checkout in a bad state says so in one sentence and fails', () => {
  let checkout: Checkout
  let folder: string
  /** A registry that nobody serves, and nothing kept from earlier. */
  let offline: NodeJS.ProcessEnv

  const expectSentence = ({ code, output }: Ended, words: RegExp): void => {
    const told = output.split('\n').filter((line) => line !== '' && !/^headgate: installing /.test(line))
    expect(code, output).toBe(1)
    expect(told, output).toHaveLength(1)
    expect(told[0]).toMatch(/^headgate: .*[.]$/)
    expect(told[0]).toMatch(words)
  }
  const withEdit = async (
    file: string,
    change: (text: string) => string,
    act: () => Promise<void>,
  ): Promise<void> => {
    let before = ''
    checkout.edit(file, (text) => {
      before = text
      const after = change(text)
      expect(after, `the edit of ${file} changes nothing`).not.toBe(text)
      return after
    })
    await act()
    checkout.edit(file, () => before)
  }

  beforeAll(() => {
    checkout = new Checkout()
    folder = mkdtempSync(join(tmpdir(), 'headgate-refusals-'))
    offline = {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: folder,
      npm_config_fetch_retries: '0',
    }
  })
  afterAll(async () => {
    await checkout.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const script of SCRIPTS) {
    it(`when Node is too old for ${script}`, async () => {
      await withEdit(
        'package.json',
        (text) => text.replace(/"node": ">=[\d.]+"/, '"node": ">=99.1.0"'),
        async () =>
          expectSentence(
            await checkout.script(script),
            /needs Node 99\.1\.0 or newer, and this is Node \d+\.\d+\.\d+/,
          ),
      )
    })
  }

  it('when there is no network', async () => {
    expectSentence(
      await checkout.script('setup', [], offline),
      /registry cannot be reached \(E[A-Z]+\): check the network/,
    )
  })

  it('when there is no network for npm start and npm test', async () => {
    expectSentence(await checkout.script('start', [], offline), /registry cannot be reached/)
    expectSentence(await checkout.script('test', ['--only', 'lint'], offline), /registry cannot be reached/)
  })

  it('when the lock file is out of step with package.json', async () => {
    await withEdit(
      'package.json',
      (text) => text.replace(/"vitest": "[^"]+"/, '"vitest": "1.0.0"'),
      async () =>
        expectSentence(
          await checkout.script('setup'),
          /out of step with package\.json \(vitest: 1\.0\.0 there, .* in the lock\): run npm install/,
        ),
    )
  })

  it("when the lock file is out of step with a workspace's package.json", async () => {
    await withEdit(
      'cli/package.json',
      (text) => text.replace('"dependencies": {', '"dependencies": {\n    "left-over": "1.0.0",'),
      async () =>
        expectSentence(
          await checkout.script('setup'),
          /out of step with cli\/package\.json \(left-over: 1\.0\.0 there, absent in the lock\)/,
        ),
    )
  })

  it('when the lock file is broken', async () => {
    await withEdit(
      'package-lock.json',
      (text) => text.slice(0, text.length / 2),
      async () => expectSentence(await checkout.script('setup'), /package-lock\.json is missing or broken/),
    )
  })

  it('when npm is missing', async () => {
    const node = join(folder, 'node')
    copyFileSync(process.execPath, node)
    const { ended } = checkout.start(node, ['scripts/setup.mjs'], { PATH: folder })
    expectSentence(await ended, /npm was not found/)
  })

  it('when it is asked for what it does not know', async () => {
    expectSentence(await checkout.script('setup', ['--frobnicate']), /Unknown option '--frobnicate'/)
    expectSentence(await checkout.script('build', ['frobnicate']), /Unexpected argument 'frobnicate'/)
    expectSentence(
      await checkout.script('test', ['--only', 'frobnicate']),
      /no check 'frobnicate': --only takes lint/,
    )
  })

  it('and is not held up by the claim of a dead process whose number another has now', async () => {
    const owner = { pid: process.pid, started: 'long ago' }
    writeFileSync(checkout.path('.headgate-setup.lock'), JSON.stringify({ owner }))
    expectSentence(await checkout.script('setup', [], offline), /registry cannot be reached/)
  })

  it('nor by a claim that was never written to its end', async () => {
    writeFileSync(checkout.path('.headgate-setup.lock'), '{"own')
    expectSentence(await checkout.script('setup', [], offline), /registry cannot be reached/)
  })

  it('and tells help on the way out, before it installs', async () => {
    for (const script of ['setup', 'build', 'test']) {
      const { code, output } = await checkout.script(script, ['--help'], offline)
      expect(code, output).toBe(0)
      expect(output).toMatch(/^Usage: /)
    }
  })
})
