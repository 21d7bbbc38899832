import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A small checkout in which every import is as it should be. */
const SOUND = {
  'src/policy.ts': 'export interface Policy { readonly limit: number }',
  'src/algorithms/fixed.ts': `import type { Policy } from '../policy.ts'\nexport const fixed: Policy = { limit: 1 }`,
  'src/stores/memory/memory.ts': `import { fixed } from '../../algorithms/fixed.ts'\nexport const memory = fixed`,
  'src/guards/deadline.ts': `import { memory } from '../stores/memory/memory.ts'\nexport const deadline = memory`,
  'src/limiter.ts': `import { deadline } from './guards/deadline.ts'\nexport const limiter = deadline`,
  'src/http/headers.ts': `import { limiter } from '../limiter.ts'\nexport const headers = limiter`,
  'src/adapters/express.ts': `import { headers } from '../http/headers.ts'\nexport const express = headers`,
  'src/index.ts': `export { limiter } from './limiter.ts'`,
  'src/testing/index.ts': `import { memory } from '../stores/memory/memory.ts'\nexport const faulty = memory`,
  'src/limiter.test.ts': `import { faulty } from './testing/index.ts'\nimport { it } from 'vitest'\nit('', () => faulty)`,
  'cli/src/main.ts': `import 'node:fs'\nimport { limiter } from 'headgate'\nexport const main = limiter`,
  'test/model/laws.test.ts': `import { faulty } from 'headgate/testing'\nexport const laws = faulty`,
  'scripts/setup.mjs': `import 'node:fs'\nimport './lib/npm.mjs'`,
  'scripts/lib/npm.mjs': 'export {}',
  'dist/index.js': 'export {}',
}

/** The other half of a cycle, which is told of its first file alone. */
const ROUND = {
  'src/round-2.ts': `import type { One } from './round-1.ts'\nexport interface Two { one: One }`,
}

/** Files of one forbidden line each, and the rule that refuses them. */
const REFUSED: readonly (readonly [file: string, text: string, rule: string])[] = [
  ['src/up-1.ts', `import './algorithms/fixed.ts'`, 'base-imports-downwards'],
  [
    'src/up-2.ts',
    `import type { memory } from './stores/memory/memory.ts'\nexport type M = typeof memory`,
    'base-imports-downwards',
  ],
  ['src/up-3.ts', `import './limiter.ts'`, 'base-imports-downwards'],
  ['src/algorithms/up.ts', `import '../stores/memory/memory.ts'`, 'algorithms-imports-downwards'],
  ['src/stores/up-1.ts', `import '../guards/deadline.ts'`, 'stores-imports-downwards'],
  ['src/stores/redis/up-2.ts', `import '../../limiter.ts'`, 'stores-imports-downwards'],
  ['src/guards/up.ts', `import '../limiter.ts'`, 'guards-imports-downwards'],
  ['src/waiting.ts', `import './http/headers.ts'`, 'limiter-imports-downwards'],
  ['src/reservation.ts', `import './index.ts'`, 'limiter-imports-downwards'],
  ['src/registry.ts', `import './testing/index.ts'`, 'limiter-imports-downwards'],
  ['src/http/up.ts', `import '../adapters/express.ts'`, 'http-imports-downwards'],
  ['src/adapters/up.ts', `import '../index.ts'`, 'adapters-imports-downwards'],
  ['src/adapters/test.ts', `import '../testing/index.ts'`, 'adapters-imports-downwards'],
  [
    'src/round-1.ts',
    `import type { Two } from './round-2.ts'\nexport interface One { two: Two }`,
    'no-cycles',
  ],
  ['src/node-1.ts', `import 'node:crypto'`, 'library-stands-alone'],
  [
    'src/node-2.ts',
    `import type { Server } from 'node:http'\nexport type S = Server`,
    'library-stands-alone',
  ],
  ['src/package.ts', `import 'fast-check'`, 'library-stands-alone'],
  ['src/out.ts', `import '../cli/src/main.ts'`, 'library-stands-alone'],
  ['cli/src/deep-1.ts', `import '../../src/index.ts'`, 'public-subpaths-only'],
  [
    'cli/src/deep-2.ts',
    `import type { P } from '../../src/policy.ts'\nexport type Q = P`,
    'public-subpaths-only',
  ],
  ['cli/src/deep-3.ts', `import '../../dist/index.js'`, 'public-subpaths-only'],
  ['cli/src/deep-4.ts', `import 'headgate/src/limiter.ts'`, 'resolvable'],
  ['lab/deep.ts', `import '../src/stores/memory/memory.ts'`, 'public-subpaths-only'],
  ['bench/deep.ts', `import '../src/limiter.ts'`, 'public-subpaths-only'],
  ['examples/01/deep.ts', `import '../../src/limiter.ts'`, 'public-subpaths-only'],
  ['test/model/deep.test.ts', `import '../../src/policy.ts'`, 'public-subpaths-only'],
  ['cli/src/across.ts', `import '../../test/model/laws.test.ts'`, 'workspaces-stand-apart'],
  ['lab/across.ts', `import '../cli/src/main.ts'`, 'workspaces-stand-apart'],
  ['scripts/lib/early.mjs', `import 'tsdown'`, 'scripts-need-no-install'],
]

describe('the check of imports', () => {
  const folders: string[] = []

  /** The rules that a checkout of these files breaks, each after the file that breaks it. */
  const broken = (files: Readonly<Record<string, string>>): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-imports-'))
    folders.push(folder)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
      cpSync(join(root, file), join(folder, file))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
    const tops = new Set(Object.keys(files).map((path) => path.replace(/\/.*/, '')))
    tops.delete('dist')
    const done = spawnSync(process.execPath, [cruiser, '--output-type', 'json', ...tops], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { summary } = JSON.parse(done.stdout)
    return summary.violations.map(({ from, rule }: Violation) => `${from}: ${rule.name}`).toSorted()
  }

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  it('finds nothing where imports run one way', () => {
    expect(broken(SOUND)).toEqual([])
  })

  it('refuses each import that does not, and nothing else', () => {
    const files = Object.fromEntries(REFUSED.map(([file, text]) => [file, text]))
    const expected = REFUSED.map(([file, , rule]) => `${file}: ${rule}`).toSorted()
    expect(broken({ ...SOUND, ...ROUND, ...files })).toEqual(expected)
  })
})

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}
