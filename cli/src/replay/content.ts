import { Failure } from '../failure.ts'
import type { SkippedLine } from './log-reader.ts'

/** What the first bytes of a file tell of the rest. */
export type Content = 'text' | 'binary' | 'gzip' | 'utf-16'

const SAMPLE_BYTES = 8192

export function contentOf(first: Buffer): Content {
  const [a, b] = first
  if (a === 0x1f && b === 0x8b) return 'gzip'
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'utf-16'
  return first.subarray(0, SAMPLE_BYTES).includes(0) ? 'binary' : 'text'
}

/** A byte order mark would become part of the first host. */
export function withoutMark(first: Buffer): Buffer {
  return first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf ? first.subarray(3) : first
}

/** Content that holds no line to read, whatever follows. */
export function refuseUnreadable(name: string, content: Content): void {
  if (content === 'gzip')
    throw new Failure(`${name} is compressed: pipe it in, as in gunzip -c LOG.gz | headgate replay -`)
  if (content === 'utf-16')
    throw new Failure(`${name} is UTF-16 text: convert it to UTF-8 first, as with iconv.`)
}

/** Why there was nothing to replay, after `bytes` of it. */
export function nothingRead(
  name: string,
  bytes: number,
  content: Content,
  skipped: SkippedLine | undefined,
): Failure {
  if (bytes === 0) return new Failure(`${name} is empty: there is nothing to replay.`)
  if (content === 'binary') return new Failure(`${name} is a binary file, not an access log.`)
  if (!skipped) return new Failure(`${name} holds blank lines only: there is nothing to replay.`)
  const wanted = 'a request in Common or Combined Log Format'
  return new Failure(`no line of ${name} is ${wanted}; line ${skipped.line} is: ${skipped.text}`)
}
