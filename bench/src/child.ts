import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** What a child needs to run TypeScript on Node 20, with 'headgate' as it is built. */
const TSX = ['--import', 'tsx']
const TSCONFIG = fileURLToPath(new URL('../tsconfig.json', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a program of this folder in a process of its own, in which nothing else has been compiled or collected. */
export function startProgram(
  path: URL,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): ChildProcess {
  return start([...nodeOptions, ...TSX, fileURLToPath(path), ...args])
}

/** Starts a program of Node's; what it says of errors is seen. */
export function start(args: readonly string[]): ChildProcess {
  const env = { TSX_TSCONFIG_PATH: TSCONFIG, ...process.env }
  return spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/**
 * Waits for a child's end and parses what it wrote.
 *
 * @throws Error if it failed.
 */
export async function resultOf<T>(child: ChildProcess): Promise<T> {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = await endOf(child)
  if (ended !== 0) throw new Error(`a measurement failed with ${ended}; it said: ${output.slice(-400)}`)
  return JSON.parse(output)
}

/** The code or signal that a child ends with. */
export function endOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
}
