import type { Page } from './pages.ts'

/** A fenced block: its lines count from 0, and `first` is the one after the fence. */
interface Block {
  readonly language: string
  readonly runs: boolean
  readonly first: number
  /** The line of the closing fence. */
  readonly end: number
}

/** TypeScript that stands in one or several blocks of a page. A block that begins with an import begins a program. */
export interface Program {
  readonly name: string
  /** The lines of its blocks where they stand on the page, and blank lines elsewhere: an error names the line of the page. */
  readonly text: string
  readonly blocks: readonly ProgramBlock[]
  /** False for a block that says `ts no-run`: what it does belongs elsewhere, such as into a test runner. */
  readonly runs: boolean
}

export interface ProgramBlock {
  readonly first: number
  readonly end: number
  /** The `text` block that follows, if one does: what the block prints. */
  readonly output: { readonly first: number; readonly end: number } | undefined
}

/** The TypeScript programs of a page, in order. */
export function programsOf(page: Page): Program[] {
  const lines = page.text.split('\n')
  const blocks = blocksOf(page)
  const programs: { readonly own: ProgramBlock[]; readonly runs: boolean }[] = []
  blocks.forEach((block, i) => {
    if (block.language !== 'ts') return
    const next = blocks[i + 1]
    const output = next?.language === 'text' ? { first: next.first, end: next.end } : undefined
    const begins = /^\s*import\b/.test(lines[block.first] ?? '')
    if (begins) programs.push({ own: [], runs: block.runs })
    const current = programs.at(-1)
    if (!current)
      throw new Error(`${page.path}:${block.first}: the first ts block of a page must begin with an import`)
    current.own.push({ first: block.first, end: block.end, output })
  })
  return programs.map(({ own, runs }, i) => {
    const isOwn = (line: number): boolean => own.some(({ first, end }) => line >= first && line < end)
    const text = lines.map((line, n) => (isOwn(n) ? line : '')).join('\n')
    return { name: `${page.path}#${i + 1}`, text, blocks: own, runs }
  })
}

function blocksOf(page: Page): Block[] {
  const blocks: Block[] = []
  let open: Omit<Block, 'end'> | undefined
  page.text.split('\n').forEach((line, n) => {
    const fence = /^```(\w*)( no-run)?\s*$/.exec(line)
    if (!fence) return
    if (open) blocks.push({ ...open, end: n })
    open = open ? undefined : { language: fence[1] ?? '', runs: fence[2] === undefined, first: n + 1 }
  })
  if (open) throw new Error(`${page.path}:${open.first}: a block that nothing closes`)
  return blocks
}
