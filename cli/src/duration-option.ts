import { type Failure, usageFailure } from './failure.ts'
import { printable } from './text.ts'

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const MAX_MS = 366 * 86_400_000

/** Milliseconds of an option such as `--horizon 2m`, from 0 to 366 days. */
export function durationOption(option: string, text: string): number {
  refuseBareNumber(option, text)
  const match = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text)
  const ms = match ? Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN) : Number.NaN
  if (Number.isInteger(ms) && ms <= MAX_MS) return ms
  throw badDuration(option, text)
}

export function badDuration(option: string, text: string): Failure {
  const shown = JSON.stringify(printable(text, 40))
  return usageFailure(
    `--${option} must be a duration of whole milliseconds, such as 500ms, 10s or 2m, up to 366d; it is ${shown}.`,
  )
}

/** In code a bare number is milliseconds; at a prompt, people who type 60 mean seconds as often, so the unit must be said. */
export function refuseBareNumber(option: string, text: string): void {
  if (!/^\d+(\.\d+)?$/.test(text)) return
  throw usageFailure(`--${option} ${printable(text, 20)} has no unit: write ${text}s, ${text}m or ${text}ms.`)
}
