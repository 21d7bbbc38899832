import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Page, pagesUnder, readPage, root } from './pages.ts'
import { PublicNames } from './public-names.ts'

const names = new PublicNames(['headgate', 'headgate/testing'])
const codes = names.wordsOf('headgate', 'ErrorCode')

/** What a page says in code, so that a word in passing is no entry. */
function codeIn({ text }: Page): string {
  return [...text.matchAll(/`[^`]+`|^```ts[\s\S]*?^```$|^## .*$/gm)].map(([code]) => code).join('\n')
}

describe('the reference', () => {
  const reference = pagesUnder('docs/reference').map(codeIn).join('\n')

  it.each(['headgate', 'headgate/testing'])('has every public name of %s', (entryPoint) => {
    const exported = names.of(entryPoint)
    expect(exported.length).toBeGreaterThan(2)
    expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(reference))).toEqual([])
  })

  it('has every entry point that the package exports', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const entryPoints = Object.keys(exports).filter((path) => path !== './package.json')
    const listed = readPage('docs/reference/README.md').text
    expect(
      entryPoints
        .map((path) => path.replace('.', 'headgate'))
        .filter((name) => !listed.includes(`\`${name}\``)),
    ).toEqual([])
  })
})

describe('the pages of errors', () => {
  const pages = readdirSync(join(root, 'docs/errors'))
    .filter((name) => name.startsWith('ERR_'))
    .map((name) => name.replace(/\.md$/, ''))

  it('are one for each code, and no more', () => {
    expect(codes.length).toBeGreaterThan(10)
    expect(pages.sort()).toEqual([...codes].sort())
  })

  it.each(codes)('%s says what happened, shows it, and says why and what to do', (code) => {
    const { text } = readPage(`docs/errors/${code}.md`)
    expect(text.startsWith(`# ${code}\n`)).toBe(true)
    expect(text).toContain(`// throws ${code}\n`)
    expect(text).toMatch(/^\*\*`\w+Error`\.\*\* /m)
    expect(text).toMatch(/^```text\n\w+Error: /m)
    for (const heading of ['## Why', '## What to do']) expect(text).toContain(`\n${heading}\n`)
  })

  it('are all in the index, and under their class in the reference', () => {
    const index = readPage('docs/errors/README.md').text
    const reference = readPage('docs/reference/errors.md').text
    expect(codes.filter((code) => !index.includes(`[\`${code}\`](${code}.md)`))).toEqual([])
    expect(codes.filter((code) => !reference.includes(`[\`${code}\`]`))).toEqual([])
  })
})

describe('the page of dependencies', () => {
  const rows = readPage('docs/internals/dependencies.md')
    .text.split('\n')
    .flatMap((line) => /^\| `([^`]+)` \|(.+)\|(.+)\|$/.exec(line) ?? [])
  const explained = rows.filter((_, i) => i % 4 === 1)

  function dependenciesOf(manifest: string): string[] {
    const fields = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((field) =>
      Object.keys(fields[field] ?? {}),
    )
  }

  it('explains each that a package.json names, and no other', () => {
    const named = new Set(['package.json', 'cli/package.json'].flatMap(dependenciesOf))
    expect(named.size).toBeGreaterThan(10)
    expect([...explained].sort()).toEqual([...named].sort())
  })
})
