import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Fault, LEDGER } from './ledger.ts'
import { faultsPage } from './page.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const faults: readonly Fault[] = LEDGER
const files = readdirSync(here).filter((file) => file.endsWith('.test.ts') && file !== 'ledger.test.ts')

/** The kinds that a file has a block of tests for; vitest itself refuses a block without tests. */
function kindsIn(file: string): Set<string> {
  const text = readFileSync(`${here}${file}`, 'utf8')
  return new Set([...text.matchAll(/^(?:kind|memoryKind)\('([a-z0-9-]+)',/gm)].map((match) => match[1] ?? ''))
}

const blocks = new Map(files.map((file) => [file, kindsIn(file)]))

it('every kind of fault has one name, and is tested or says what it waits for', () => {
  const kinds = faults.map((fault) => fault.kind)
  expect(kinds.filter((kind, index) => kinds.indexOf(kind) !== index)).toEqual([])
  expect(faults.filter(({ tests, elsewhere, later }) => !tests && !elsewhere && !later)).toEqual([])
  expect(kinds.length).toBeGreaterThan(99)
})

it('every kind that says it is tested has a block of tests in the file it names', () => {
  const claims = faults.flatMap(({ kind, tests = [] }) => tests.map((file) => ({ kind, file })))
  expect(claims.length).toBeGreaterThan(50)
  expect(claims.filter(({ kind, file }) => !blocks.get(file)?.has(kind))).toEqual([])
})

it('every block of tests is claimed by its kind', () => {
  const found = [...blocks].flatMap(([file, kinds]) => [...kinds].map((kind) => ({ kind, file })))
  const claimed = (kind: string, file: string) =>
    faults.some((fault) => fault.kind === kind && fault.tests?.includes(file))
  expect(found.filter(({ kind, file }) => !claimed(kind, file))).toEqual([])
  expect([...blocks].filter(([, kinds]) => kinds.size === 0)).toEqual([])
})

it('what is tested elsewhere has tests there', () => {
  for (const { kind, elsewhere } of faults) {
    if (elsewhere === undefined) continue
    const tests = existsSync(`${root}${elsewhere}`) ? readdirSync(`${root}${elsewhere}`) : []
    expect(
      tests.filter((file) => file.endsWith('.test.ts')).length,
      `${kind} in ${elsewhere}`,
    ).toBeGreaterThan(0)
  }
})

it('what waits for a feature is not there under the name of its home', () => {
  const homes = new Set(faults.flatMap(({ later }) => (later ? [later.home] : [])))
  expect([...homes].filter((home) => existsSync(`${here}${home}`))).toEqual([])
})

it('the page of the documentation says what the ledger says', async () => {
  await expect(faultsPage(faults)).toMatchFileSnapshot(`${root}docs/internals/faults.md`)
})
