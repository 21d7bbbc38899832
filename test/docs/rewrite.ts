import { HeadgateError } from 'headgate'
import type { Telling } from './instrument.ts'
import type { Page } from './pages.ts'
import { programsOf } from './programs.ts'
import { run } from './run.ts'
import { tell, tellInLines } from './told-value.ts'

/** Lines of a page, from and to, and what belongs there. */
interface Change {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** The page as it is when every comment and every output says what the code really comes to. */
export async function rewritten(page: Page): Promise<string> {
  const lines = page.text.split('\n')
  const changes: Change[] = []
  for (const program of programsOf(page).filter(({ runs }) => runs)) {
    const { tellings, printed } = await run(program)
    for (const { telling, result } of tellings) changes.push(told(lines, telling, result))
    program.blocks.forEach(({ output }, i) => {
      const text = printed[i] ?? ''
      if (output) changes.push({ from: output.first, to: output.end, lines: text.split('\n') })
    })
  }
  for (const { from, to, lines: own } of changes.sort((a, b) => b.from - a.from)) {
    lines.splice(from, to - from, ...own)
  }
  return lines.join('\n')
}

function told(lines: readonly string[], telling: Telling, result: unknown): Change {
  const { kind, line, end, column, says } = telling
  const before = lines[line]?.slice(0, column) ?? ''
  const values =
    kind === 'throws'
      ? [thrown(result, says)]
      : end - line > 1
        ? tellInLines(result, says)
        : [tell(result, says)]
  return {
    from: line,
    to: end,
    lines: values.map((value, i) => (i === 0 ? `${before}// ${kind} ${value}` : `// ${value}`)),
  }
}

/** Another error than one of ours must be the one that the page names: nothing else is ever written into it. */
function thrown(error: unknown, says: string): string {
  if (error instanceof HeadgateError) return error.code
  if (error instanceof Error && error.name === says) return says
  throw new Error(`it should throw ${says}, and ${error === undefined ? 'threw nothing' : `threw ${error}`}`)
}
