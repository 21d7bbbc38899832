import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Page, pagesUnder, readPage, root } from './pages.ts'
import { programsOf } from './programs.ts'
import { rewritten } from './rewrite.ts'
import { complaintsOf } from './type-check.ts'

const pages: readonly Page[] = [readPage('README.md'), ...pagesUnder('docs')].filter((page) =>
  /^```ts$/m.test(page.text),
)

// A program that listens takes any free port.
process.env['PORT'] = '0'

describe('the code of the documentation', () => {
  // Time stands still, so that a value is the same whenever it is looked at. Pages that need it to pass have a clock of their own.
  beforeAll(
    () => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 0, 1, 12, 0, 20) }),
  )
  afterAll(() => void vi.useRealTimers())

  it('is there to be checked', () => expect(pages.length).toBeGreaterThan(10))

  it('type-checks under the strictest options', () => {
    expect(complaintsOf(pages.flatMap(programsOf))).toEqual([])
  })

  it.each(pages)('comes to what $path says', async (page) => {
    // With -u the pages are written anew, by what the library really says.
    await expect(await rewritten(page)).toMatchFileSnapshot(join(root, page.path))
  })
})
