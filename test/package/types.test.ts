import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, makeConsumer, type Outcome, root } from './consumer.ts'

const COMPILERS = {
  '5.5': 'test/package/compilers/typescript-5.5/node_modules/typescript',
  '5.9': 'test/package/compilers/typescript-5.9/node_modules/typescript',
  '6.0': 'node_modules/typescript',
} as const
type Version = keyof typeof COMPILERS

const RESOLUTIONS = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node10: { module: 'commonjs', moduleResolution: 'node10' },
} as const
type Resolution = keyof typeof RESOLUTIONS

const PLATFORMS = {
  // Our own declarations are checked too; the compiler's are taken on trust, and so are those of Node.
  'a browser': { lib: ['ES2022', 'DOM'], types: [], skipDefaultLibCheck: true },
  Node: { lib: ['ES2022'], types: ['node'], skipLibCheck: true },
} as const
type Platform = keyof typeof PLATFORMS

const USE = `
export const limiter = new Limiter({ policies: { ip: fixedWindow({ limit: 5, window: '1m' }), user: gcra({ rate: 1, per: '1s', burst: 1 }) } })
export const clock: Clock = new ManualClock(0)
export const wait: Promise<number> = limiter.take({ ip: '::1', user: undefined }).then((decision) => (decision.allowed ? 0 : decision.retryAtMs))
`
const FILES = {
  'ok.mts': `import { type Clock, fixedWindow, gcra, Limiter } from 'headgate'\nimport { ManualClock } from 'headgate/testing'\n${USE}`,
  'ok.cts': `import { type Clock, fixedWindow, gcra, Limiter } from 'headgate'\nimport { ManualClock } from 'headgate/testing'\n${USE}`,
  'one.ts': `import { Limiter } from 'headgate'\nexport const kind: typeof Limiter = Limiter\n`,
  'default.mts': `import headgate from 'headgate'\nexport const wrong = headgate\n`,
  'typo.mts': `import { fixedWindow, Limiter } from 'headgate'
export const wrong = new Limiter({ policies: { ip: fixedWindow({ limit: 5, window: '1m' }) } }).take({ ipp: 'x' })\n`,
  'duration.mts': `import { fixedWindow } from 'headgate'\nexport const wrong = fixedWindow({ limit: 5, window: '1 fortnight' })\n`,
}

describe('the published types', () => {
  let consumer: Consumer

  const check = (
    version: Version,
    resolution: Resolution,
    files: readonly (keyof typeof FILES)[],
    platform: Platform = 'a browser',
  ): Outcome => {
    const name = `tsconfig.${version}.${resolution}.${files.join('+')}.json`
    const options = {
      ...RESOLUTIONS[resolution],
      ...PLATFORMS[platform],
      target: 'ES2022',
      strict: true,
      noEmit: true,
    }
    consumer.write({ [name]: JSON.stringify({ compilerOptions: options, files }) })
    return consumer.node([join(root, COMPILERS[version], 'lib/tsc.js'), '-p', name])
  }
  const CLEAN = { code: 0, output: '' }

  beforeAll(() => {
    consumer = makeConsumer()
    consumer.write({ ...FILES, 'package.json': JSON.stringify({ name: 'consumer', type: 'module' }) })
  })
  afterAll(() => consumer.remove())

  for (const version of ['5.5', '5.9', '6.0'] as const) {
    for (const resolution of ['node16', 'nodenext', 'bundler'] as const) {
      it(`hold for a module under TypeScript ${version}, ${resolution}`, () => {
        expect(check(version, resolution, ['ok.mts'])).toEqual(CLEAN)
      })
    }
  }

  for (const version of ['5.9', '6.0'] as const) {
    it(`hold for CommonJS under TypeScript ${version}, nodenext`, () => {
      expect(check(version, 'nodenext', ['ok.cts'])).toEqual(CLEAN)
    })
  }

  it('hold beside the types of Node', () => {
    expect(check('6.0', 'nodenext', ['ok.mts', 'ok.cts'], 'Node')).toEqual(CLEAN)
  })

  it('are not offered to the resolution of Node 10', () => {
    const { code, output } = check('5.5', 'node10', ['one.ts'])
    expect(code).not.toBe(0)
    expect(output).toMatch(/^one\.ts\(1,25\): error TS(2307|7016|2792)/)
  })

  for (const version of ['5.5', '6.0'] as const) {
    it(`turn a default import, a wrong policy name and an unknown unit into errors under TypeScript ${version}`, () => {
      const { output } = check(version, 'nodenext', ['default.mts', 'typo.mts', 'duration.mts'])
      const told = output.split('\n').filter((line) => /^\w/.test(line))
      expect(told).toHaveLength(3)
      expect(output).toMatch(/^default\.mts\(1,8\): error TS1192/m)
      expect(output).toMatch(/^typo\.mts\(2,.*'ipp'/m)
      expect(output).toMatch(/^duration\.mts\(2,.*'?"1 fortnight"'?/m)
    })
  }
})
