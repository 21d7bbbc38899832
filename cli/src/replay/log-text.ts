import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode, Failure } from '../failure.ts'
import { type Content, contentOf, withoutMark } from './content.ts'
import type { LogSource } from './log-source.ts'

const CHUNK_BYTES = 1 << 16
/** As many bytes as tell what the rest is. */
const HEAD_BYTES = 4

/** The text of a log, unpacked where it is gzip, which its first bytes tell, whatever it is called. */
export class LogText {
  readonly name: string
  readonly #source: LogSource
  /** Of the text, once all of it was read. */
  bytes = 0
  content: Content = 'text'

  constructor(source: LogSource) {
    this.#source = source
    this.name = source.name
  }

  /** Each chunk is lent until the next. */
  async *chunks(): AsyncGenerator<Buffer> {
    let isFirst = true
    for await (const chunk of this.#unpacked()) {
      this.bytes += chunk.length
      if (isFirst) this.content = contentOf(chunk)
      if (this.content === 'utf-16')
        throw new Failure(`${this.name} is UTF-16 text: convert it to UTF-8 first, as with iconv.`)
      yield isFirst ? withoutMark(chunk) : chunk
      isFirst = false
    }
  }

  async *#unpacked(): AsyncGenerator<Buffer> {
    const chunks = withWholeHead(this.#source.chunks())
    const { value: first, done } = await chunks.next()
    if (done) return
    const all = prepended(first, chunks)
    if (contentOf(first) === 'gzip') yield* withWholeHead(this.#gunzipped(all))
    else yield* all
  }

  /** A file of several members, as appended logs have, is read to its end. */
  async *#gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    // What fails comes out of the other end.
    pipeline(copies(packed), gunzip, () => undefined)
    try {
      yield* gunzip
    } catch (error) {
      if (!errorCode(error)?.startsWith('Z_')) throw error
      const isCut = errorCode(error) === 'Z_BUF_ERROR'
      throw new Failure(`${this.name} is gzip that is ${isCut ? 'cut off before its end' : 'damaged'}.`)
    }
  }
}

/** The same bytes, the first chunk being long enough to tell what they are. */
async function* withWholeHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < HEAD_BYTES) continue
    yield head
    head = undefined
  }
  if (head && head.length > 0) yield head
}

async function* prepended(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/** A source fills its one buffer again while the stream still holds what it was lent. */
async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
