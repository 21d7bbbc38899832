import { isUtf8 } from 'node:buffer'

const count = new Intl.NumberFormat('en-US')
const percent = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `12,345`. */
export function showCount(n: number): string {
  return count.format(n)
}

/** `9.31 %` of the whole; of nothing, `0.00 %`. */
export function showShare(part: number, whole: number): string {
  return `${percent.format(whole === 0 ? 0 : (part / whole) * 100)} %`
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** A duration as it is typed, exact: `1m`, `90s`, `1.5s`, `250ms`. */
export function showDuration(ms: number): string {
  for (const [unit, unitMs] of UNITS) if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`
  return ms >= 1000 ? `${ms / 1000}s` : `${ms}ms`
}

/** A stretch of time to read, not to type, in its largest units: `3 d 11 h`, `4 min 2 s`. */
export function showSpan(ms: number, units = 2): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  if (first < 0) return '0 s'
  const shown = parts.slice(first, first + units).filter(([amount]) => amount > 0)
  return shown.map(([amount, unit]) => `${amount} ${unit}`).join(' ')
}

/** `2015-05-17 10:05:03`, in UTC. */
export function showInstant(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** C0, DEL and C1; the marks that turn text around, which make one address look like another; line and paragraph separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** Foreign text made safe for a terminal and cut to `width` characters: a log may hold escape sequences that rewrite the screen. */
export function printable(text: string, width = 200): string {
  const head = text.length > width * 4 ? text.slice(0, width * 4) : text
  const shown = head.replace(UNPRINTABLE, escapeCharacter)
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown
}

function escapeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return point < 256 ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`
}

/** Bytes as text: UTF-8 where they are, else a character a byte, so that different bytes stay different text. */
export function bytesToText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
