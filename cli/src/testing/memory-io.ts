import type { Io } from '../io.ts'
import { run } from '../program.ts'

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process, and keeps what it writes. */
export async function runInMemory(args: readonly string[], stdin: readonly Buffer[] = []): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const io: Io = {
    stdin: (async function* () {
      yield* stdin
    })(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  }
  const exitCode = await run(args, io)
  return { exitCode, stdout, stderr }
}
