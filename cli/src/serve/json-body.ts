import { ProblemError } from './problems.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The value in a body. Strict about UTF-8: replaced bytes would make one key of many. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0)
    throw new ProblemError('invalid-json', 'The body is empty; it must be a JSON object.')
  try {
    return JSON.parse(decode(body)) as unknown
  } catch (error) {
    if (error instanceof ProblemError) throw error
    // The parser's own message may quote the body, and with it a key.
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const where = position === undefined ? '' : ` at character ${Number(position) + 1}`
    throw new ProblemError(
      'invalid-json',
      `The body can't be read as JSON${where}: check its quotes, commas and braces.`,
    )
  }
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new ProblemError('invalid-json', 'The body is not UTF-8 text, which JSON must be.')
  }
}
