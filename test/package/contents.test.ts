import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, makeConsumer } from './consumer.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly [field: string]: unknown
}

describe('the packed library', () => {
  let consumer: Consumer
  let manifest: Manifest
  let files: string[]

  beforeAll(() => {
    consumer = makeConsumer()
    manifest = JSON.parse(readFileSync(join(consumer.library, 'package.json'), 'utf8'))
    files = readdirSync(consumer.library, { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(consumer.library, path)).isFile(),
    )
  })
  afterAll(() => consumer.remove())

  it('holds what is built, and the pages a reader looks for, and nothing else', () => {
    const strays = files.filter(
      (path) => !/^(dist\/[\w./-]+\.(js|d\.ts)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path),
    )
    expect(strays).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']))
  })

  it('brings no other package with it', () => {
    for (const field of [
      'dependencies',
      'optionalDependencies',
      'bundleDependencies',
      'bundledDependencies',
    ]) {
      expect(manifest[field], field).toBeUndefined()
    }
    expect(manifest['peerDependencies'] ?? {}).toEqual({})
  })

  it('has every file that its exports name', () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    )
    expect(targets.length).toBeGreaterThanOrEqual(5)
    expect(targets.filter((target) => !existsSync(join(consumer.library, target)))).toEqual([])
  })

  it('names its types before its code in every export', () => {
    const conditions = Object.values(manifest.exports).filter((entry) => typeof entry !== 'string')
    for (const entry of conditions) expect(Object.keys(entry)).toEqual(['types', 'default'])
  })

  it('imports in its files only files that it holds', () => {
    const built = files.filter((path) => path.startsWith('dist/'))
    const missing = built.flatMap((path) => {
      const text = readFileSync(join(consumer.library, path), 'utf8')
      const targets = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, target]) =>
        String(target),
      )
      const fileOf = (target: string) => (path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target)
      return targets.filter((target) => !existsSync(join(consumer.library, dirname(path), fileOf(target))))
    })
    expect(missing).toEqual([])
  })

  it('can be reached by its public subpaths alone', () => {
    consumer.write({
      'deep.mjs': `
        const tries = ['headgate/dist/index.js', 'headgate/src/index.ts', 'headgate/limiter']
        for (const path of tries) await import(path).then(() => console.log('reached', path), (e) => console.log(e.code))`,
    })
    const { output } = consumer.node(['deep.mjs'])
    expect(output.trim().split('\n')).toEqual(Array(3).fill('ERR_PACKAGE_PATH_NOT_EXPORTED'))
  })
})
