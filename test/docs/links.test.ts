import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, type Page, pagesUnder, proseLines, readPage, root, rootPages } from './pages.ts'

interface Link {
  readonly from: Page
  readonly target: string
  readonly where: string
}

const pages = [...rootPages(), ...pagesUnder('docs'), ...pagesUnder('examples')]

function linksOf(from: Page): Link[] {
  // A link may go over the end of a line; a name in code is none.
  const prose = proseLines(from)
    .join('\n')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ' '))
  return [...prose.matchAll(/\[[^[\]]*\]\(([^()\s]+)\)/g)].map((found) => ({
    from,
    target: String(found[1]),
    where: `${from.path}:${prose.slice(0, found.index).split('\n').length} ${found[1]}`,
  }))
}

const isWeb = ({ target }: Link): boolean => /^\w+:/.test(target)

/** The page and the heading that a link leads to. */
function destination({ from, target }: Link): { readonly path: string; readonly anchor: string | undefined } {
  const [path = '', anchor] = target.split('#')
  return { path: path === '' ? from.path : posix.join(posix.dirname(from.path), path), anchor }
}

function leadsNowhere(link: Link): boolean {
  const { path, anchor } = destination(link)
  if (!existsSync(join(root, path))) return true
  return anchor !== undefined && !anchorsOf(readPage(path)).has(anchor)
}

describe('the pages', () => {
  const links = pages.flatMap(linksOf)
  const local = links.filter((link) => !isWeb(link))

  it('have links, or this looks at nothing', () => expect(local.length).toBeGreaterThan(100))

  it('link only to pages and headings that are there', () => {
    expect(local.filter(leadsNowhere).map(({ where }) => where)).toEqual([])
  })

  it('of the web link to https alone', () => {
    expect(
      links.filter((link) => isWeb(link) && !link.target.startsWith('https://')).map(({ where }) => where),
    ).toEqual([])
  })

  it('are all found from the README', () => {
    const found = new Set(['README.md'])
    // A set grows while it is walked, and the walk goes on.
    for (const path of found) {
      const page = pages.find((one) => one.path === path)
      if (page) for (const link of linksOf(page)) if (!isWeb(link)) found.add(destination(link).path)
    }
    expect(pages.map(({ path }) => path).filter((path) => !found.has(path))).toEqual([])
  })

  it('name only npm scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => ({ path, name: String(name) })),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([])
  })
})

describe('the README', () => {
  const { text } = readPage('README.md')
  const lines = text.split('\n')

  it('is short', () => expect(lines.length).toBeLessThan(200))

  it('shows the two commands and the first limiter on its first screen', () => {
    const screen = lines.slice(0, 22).join('\n')
    for (const shown of ['npm start', 'npm test', 'new Limiter(', '.take(']) expect(screen).toContain(shown)
  })
})
