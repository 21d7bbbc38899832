import { createHmac, randomBytes } from 'node:crypto'
import { type Logger, pino } from 'pino'
import type { Output } from '../io.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The service's log: a JSON object a line. */
export function createLog(output: Pick<Output, 'write'>, level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => void output.write(line) },
  )
}

/** How a key stands in the log. */
export type ShowKey = (key: string) => string

export const inClear: ShowKey = (key) => key

/**
 * The same key as the same short text while the process lives, so that one can be followed; with a secret of the process in it, since a
 * plain hash of an address is found by trying all addresses.
 */
export function pseudonyms(): ShowKey {
  const secret = randomBytes(32)
  return (key) => `#${createHmac('sha256', secret).update(key).digest('hex').slice(0, 12)}`
}
