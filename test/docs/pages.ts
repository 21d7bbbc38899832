import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** A page of the documentation. */
export interface Page {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

/** The Markdown files of a folder and of those below it, in order. */
export function pagesUnder(folder: string): Page[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules/'))
    .sort()
    .map(readPage)
}

/** The pages at the root, such as README.md. */
export function rootPages(): Page[] {
  return readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map(readPage)
}

/** The lines of a page that are prose: what stands in fenced blocks is blank, so that the numbers of the lines stay. */
export function proseLines({ text }: Page): string[] {
  let fenced = false
  return text.split('\n').map((line) => {
    const fence = /^\s*(```|~~~)/.test(line)
    if (fence) fenced = !fenced
    return fence || fenced ? '' : line
  })
}

/** The names of a page's headings as links have them: GitHub's rule, for what these pages use. */
export function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>()
  for (const line of proseLines(page)) {
    const heading = /^#{1,6}\s+(.+?)\s*$/.exec(line)?.[1]
    if (heading === undefined) continue
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let name = anchor
    for (let n = 1; anchors.has(name); n++) name = `${anchor}-${n}`
    anchors.add(name)
  }
  return anchors
}
