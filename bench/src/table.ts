/** Lines of a table whose first column reads from the left and whose other columns, numbers, stand under one another. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]): string =>
    widths
      .map((width, column) =>
        column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width),
      )
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

/** `1,000,000`. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Two digits behind the point below 10, one below 100, none above: as much as a ratio or a small number can be trusted for. */
export function rounded(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}
