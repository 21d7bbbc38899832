import { PolicyError } from './errors.ts'
import { isWhole } from './options.ts'

type Unit = 'ms' | 's' | 'm' | 'h' | 'd'

/** Milliseconds, or a number with its unit such as `'1.5s'`, `'1m'`, `'1d'`. Whole milliseconds, from 1 ms to 366 days. */
export type Duration = number | `${number}${Unit}`

/** The longest window there is. */
const MAX_DURATION_MS = 366 * 86_400_000

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const TEXT = /^(\d{1,15})(?:\.(\d{1,8}))?(ms|[smhd])$/
const RULE = "must be whole milliseconds from 1 ms to 366 days, such as 250, '1.5s' or '1d'"

/**
 * A duration in milliseconds.
 *
 * @throws PolicyError `ERR_HEADGATE_DURATION` for anything but whole milliseconds from 1 ms to 366 days.
 */
export function durationMs(field: string, value: unknown): number {
  const ms = typeof value === 'string' ? parse(value) : value
  if (isWhole(ms, 1, MAX_DURATION_MS)) return ms
  throw new PolicyError('ERR_HEADGATE_DURATION', field, value, RULE)
}

/** The digits behind the point are counted in whole numbers: `'0.29s'` is 290 ms, where 0.29 · 1000 in doubles need not be. */
function parse(text: string): number {
  const [, whole, decimals = '', unit = ''] = TEXT.exec(text) ?? []
  const unitMs = UNIT_MS[unit] ?? Number.NaN
  return Number(whole) * unitMs + (Number(decimals) * unitMs) / 10 ** decimals.length
}
