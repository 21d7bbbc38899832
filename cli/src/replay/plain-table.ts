import Table from 'cli-table3'

export const GAP = '  '

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [side + end, '']),
  ),
)

/** Rows in columns, and no lines. No colours of its own either: it would write them into pipes, too. */
export function plainTable(colAligns: ('left' | 'right')[], rows: readonly (readonly string[])[]): string {
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ colAligns, chars: { ...NO_LINES, middle: GAP }, style })
  for (const row of rows) table.push([...row])
  return table.toString()
}
