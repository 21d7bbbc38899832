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
