import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Checkout, countOf, type Ended, isAlive, until } from './checkout.ts'

const CLAIM = '.headgate-setup.lock'
const SILENT: Ended = { code: 0, signal: null, output: '' }

interface Claim {
  readonly owner: { readonly pid: number }
  readonly child?: { readonly pid: number }
}

describe('a fresh checkout', () => {
  let checkout: Checkout
  const claim = (): Claim | undefined => {
    try {
      return JSON.parse(readFileSync(checkout.path(CLAIM), 'utf8'))
    } catch {
      return undefined
    }
  }
  /** Takes a package away, and starts the setup that must notice. */
  const startRepair = async (): Promise<{ running: ReturnType<Checkout['start']>; npm: number }> => {
    rmSync(checkout.path('node_modules/fast-check'), { recursive: true })
    const running = checkout.start(process.execPath, ['scripts/setup.mjs', '--no-build'])
    const npm = await until(() => claim()?.child?.pid)
    // npm has begun to change things: its record of the last install is gone, and packages are going too.
    await until(() => !existsSync(checkout.path('node_modules/vitest/package.json')))
    return { running, npm }
  }
  const expectWhole = async (): Promise<void> => {
    expect(existsSync(checkout.path('node_modules/fast-check/package.json'))).toBe(true)
    expect(existsSync(checkout.path('node_modules/vitest/package.json'))).toBe(true)
    expect(existsSync(checkout.path(CLAIM))).toBe(false)
    expect(await checkout.script('setup', ['--no-build'])).toEqual(SILENT)
  }

  beforeAll(() => {
    checkout = new Checkout()
  })
  afterAll(() => checkout.remove())

  it('is installed and built once by two setups at once, even where only production is asked for', async () => {
    const env = { NODE_ENV: 'production', npm_config_omit: 'dev' }
    const both = await Promise.all([checkout.script('setup', [], env), checkout.script('build', [], env)])
    const output = both.map((each) => each.output).join('')
    expect(
      both.map((each) => each.code),
      output,
    ).toEqual([0, 0])
    expect(countOf(output, 'installing up to'), output).toBe(1)
    expect(countOf(output, 'building the library'), output).toBe(1)
    expect(countOf(output, 'building the command line'), output).toBe(1)
    expect(countOf(output, 'another setup is at work here'), output).toBe(1)
    for (const file of [
      'node_modules/vitest/package.json',
      'dist/index.js',
      'dist/index.d.ts',
      'cli/dist/main.js',
    ]) {
      expect(existsSync(checkout.path(file)), file).toBe(true)
    }
    expect(existsSync(checkout.path(CLAIM))).toBe(false)
  })

  it('once set up, is left alone', async () => {
    const touched = (): number[] =>
      ['node_modules/.package-lock.json', 'dist/index.js', 'cli/dist/main.js'].map(
        (file) => statSync(checkout.path(file)).mtimeMs,
      )
    const before = touched()
    expect(await checkout.script('setup')).toEqual(SILENT)
    expect(touched()).toEqual(before)
  })

  it('is built again where the sources changed, and only there', async () => {
    checkout.edit('src/index.ts', (text) => `${text}\n// changed\n`)
    const { code, output } = await checkout.script('setup')
    expect(code, output).toBe(0)
    expect(output).toContain('building the library')
    expect(output).not.toContain('command line')
    expect(output).not.toContain('installing')
  })

  it('is not built again for a test', async () => {
    writeFileSync(checkout.path('src/another.test.ts'), '')
    expect(await checkout.script('setup')).toEqual(SILENT)
  })

  it('is built again where what was built is gone or was changed', async () => {
    rmSync(checkout.path('cli/dist'), { recursive: true })
    checkout.edit('dist/index.js', (text) => `${text}\n`)
    const { output } = await checkout.script('setup')
    expect(output).toContain('built dist/')
    expect(output).toContain('built cli/dist/')
    expect(await checkout.script('setup')).toEqual(SILENT)
  })

  it('says why it could not be built, keeps what stood, and is built once that is mended', async () => {
    const before = readFileSync(checkout.path('dist/index.js'), 'utf8')
    checkout.edit('src/index.ts', (text) => `${text}\nexport { gone } from './gone.ts'\n`)
    const { code, output } = await checkout.script('setup')
    expect(code).toBe(1)
    expect(output).toContain('headgate: the library could not be built; tsdown said:')
    expect(output).toContain('gone.ts')
    expect(readFileSync(checkout.path('dist/index.js'), 'utf8')).toBe(before)
    checkout.edit('src/index.ts', (text) => text.replace(/\nexport { gone }.*\n/, ''))
    expect((await checkout.script('setup')).code).toBe(0)
  })

  it('takes an install made by hand for what it is', async () => {
    rmSync(checkout.path('node_modules/.headgate-setup.json'))
    expect(await checkout.script('setup', ['--no-build'])).toEqual(SILENT)
  })

  it('ends its npm when it is told to end, and starts afresh the next time', async () => {
    const { running, npm } = await startRepair()
    running.child.kill('SIGTERM')
    expect((await running.ended).signal).toBe('SIGTERM')
    expect(isAlive(npm)).toBe(false)
    expect(existsSync(checkout.path(CLAIM))).toBe(false)

    const again = await checkout.script('setup', ['--no-build'])
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain('installing up to')
    await expectWhole()
  })

  it('waits for the npm that a killed setup left behind', async () => {
    const { running, npm } = await startRepair()
    running.child.kill('SIGKILL')
    await running.ended
    expect(isAlive(npm)).toBe(true)

    const again = await checkout.script('setup', ['--no-build'])
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain(`another setup is at work here (process ${npm})`)
    await expectWhole()
  })

  it('is installed afresh after a setup and its npm were both killed', async () => {
    const { running, npm } = await startRepair()
    running.child.kill('SIGKILL')
    process.kill(npm, 'SIGKILL')
    await running.ended
    expect(existsSync(checkout.path(CLAIM))).toBe(true)

    const again = await checkout.script('setup', ['--no-build'])
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain('installing up to')
    await expectWhole()
  })
})
