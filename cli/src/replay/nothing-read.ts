import { Failure } from '../failure.ts'
import type { KeyChoice } from './key-choice.ts'
import type { SkippedLine } from './log-reader.ts'
import type { LogText } from './log-text.ts'

/** Why there was nothing to replay. */
export function nothingRead(
  { name, bytes, content }: LogText,
  skipped: SkippedLine | undefined,
  { field, name: key }: KeyChoice,
): Failure {
  if (bytes === 0) return new Failure(`${name} is empty: there is nothing to replay.`)
  if (content === 'binary' || content === 'gzip')
    return new Failure(`${name} is a binary file, not an access log.`)
  if (!skipped) return new Failure(`${name} holds blank lines only: there is nothing to replay.`)
  const wanted = field
    ? `a request in JSON with the field ${key}`
    : 'a request in Common or Combined Log Format, or in JSON of nginx, Caddy or pino-http'
  return new Failure(`no line of ${name} is ${wanted}; line ${skipped.line} is: ${skipped.text}`)
}
