import { open, stat } from 'node:fs/promises'
import { Failure, systemReason } from '../failure.ts'
import { printable } from '../text.ts'

const CHUNK_BYTES = 1 << 18

/** A log to read: from a file, or from standard input where it is called `-`. */
export interface LogSource {
  /** How to call it in a sentence. */
  readonly name: string
  /** Undefined where it can't be known, as of a pipe. */
  readonly bytes: number | undefined
  /** Its bytes, in one buffer that is filled again for each chunk: what is needed for longer must be copied. */
  chunks(): AsyncIterable<Buffer>
}

/** Looks before it reads, so that a wrong path ends in one sentence. */
export async function openLog(path: string, stdin: AsyncIterable<Buffer>): Promise<LogSource> {
  if (path === '-')
    return { name: 'standard input', bytes: undefined, chunks: () => named('standard input', stdin) }
  const name = printable(path)
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(name, error)
  })
  if (found.isDirectory()) throw new Failure(`can't read ${name}: it is a directory; name a log file.`)
  const bytes = found.isFile() ? found.size : undefined
  return { name, bytes, chunks: () => named(name, fileChunks(path)) }
}

/** A stream would make a new buffer a chunk, and hold a hundred megabytes of them until the collector comes by. */
async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* named(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    throw cannotRead(name, error)
  }
}

function cannotRead(name: string, error: unknown): Failure {
  return new Failure(`can't read ${name}: ${systemReason(error)}.`)
}
