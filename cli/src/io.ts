/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Io {
  readonly stdin: AsyncIterable<Buffer>
  readonly stdout: Output
  readonly stderr: Output
}

export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
  /** Whether the terminal shows colours and NO_COLOR does not forbid them; missing where there is no terminal. */
  hasColors?(): boolean
}

/** Makes text stand out on a terminal with colours, and leaves it alone anywhere else. */
export function boldOn(output: Output): (text: string) => string {
  const colours = output.hasColors?.() ?? false
  return colours ? (text) => `\u001b[1m${text}\u001b[22m` : (text) => text
}
