import { open, stat } from 'node:fs/promises'
import { Failure, systemReason } from '../failure.ts'
import { printable } from '../text.ts'

const CHUNK_BYTES = 1 << 18

/** A log to read: from a file, or from standard input where it is called `-`. */
export class LogSource {
  /** How to call it in a sentence. */
  readonly name: string
  /** Undefined where it can't be known, as of a pipe. */
  readonly bytes: number | undefined
  readonly #chunks: AsyncIterable<Buffer>
  /** How many bytes were read so far. */
  bytesRead = 0

  constructor(name: string, bytes: number | undefined, chunks: AsyncIterable<Buffer>) {
    this.name = name
    this.bytes = bytes
    this.#chunks = chunks
  }

  /** Looks before it reads, so that a wrong path ends in one sentence. */
  static async open(path: string, stdin: AsyncIterable<Buffer>): Promise<LogSource> {
    if (path === '-') return new LogSource('standard input', undefined, stdin)
    const name = printable(path)
    const found = await stat(path).catch((error: unknown) => {
      throw cannotRead(name, error)
    })
    if (found.isDirectory()) throw new Failure(`can't read ${name}: it is a directory; name a log file.`)
    return new LogSource(name, found.isFile() ? found.size : undefined, fileChunks(path))
  }

  /** Its bytes, once, in one buffer that is filled again for each chunk: what is needed for longer must be copied. */
  async *chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of this.#chunks) {
        this.bytesRead += chunk.length
        yield chunk
      }
    } catch (error) {
      throw cannotRead(this.name, error)
    }
  }
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

function cannotRead(name: string, error: unknown): Failure {
  return new Failure(`can't read ${name}: ${systemReason(error)}.`)
}
