import { isInstant } from './access-record.ts'
import { dayStartMs } from './iso-time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH_OF = new Map(MONTHS.map((name, index) => [packed(name), index]))

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Reads `[17/May/2015:10:05:03 +0000]`. It keeps the last day it saw, since its neighbours share it. */
export class CommonLogTime {
  /** Bytes from the opening bracket to the closing one, both included. */
  static readonly LENGTH = 28

  #day = -1
  #month = -1
  #year = -1
  #dayMs: number | undefined

  /** Epoch milliseconds of the time that opens at `at`; undefined where it is not one, or lies before 1970 or past May 2109. */
  parse(bytes: Buffer, at: number): number | undefined {
    if (!hasMarks(bytes, at)) return undefined
    const dayMs = this.#dayAt(bytes, at)
    if (dayMs === undefined) return undefined
    const hour = number(bytes, at + 13, 2)
    const minute = number(bytes, at + 16, 2)
    const second = number(bytes, at + 19, 2)
    const offsetMs = zoneOffsetMs(bytes, at + 22)
    // A leap second is written as 60.
    if (!(hour < 24 && minute < 60 && second < 61) || offsetMs === undefined) return undefined
    const timeMs = dayMs + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 - offsetMs
    return isInstant(timeMs) ? timeMs : undefined
  }

  #dayAt(bytes: Buffer, at: number): number | undefined {
    const day = number(bytes, at + 1, 2)
    const month = ((bytes[at + 4] ?? 0) << 16) | ((bytes[at + 5] ?? 0) << 8) | (bytes[at + 6] ?? 0)
    const year = number(bytes, at + 8, 4)
    if (day === this.#day && month === this.#month && year === this.#year) return this.#dayMs
    this.#dayMs = dayStartMs(year, MONTH_OF.get(month), day)
    this.#day = day
    this.#month = month
    this.#year = year
    return this.#dayMs
  }
}

function hasMarks(bytes: Buffer, at: number): boolean {
  return (
    bytes[at + 12] === 0x3a &&
    bytes[at + 15] === 0x3a &&
    bytes[at + 18] === 0x3a &&
    bytes[at + 21] === 0x20 &&
    bytes[at + 27] === 0x5d
  )
}

/** `+0130` is what local time is ahead. */
function zoneOffsetMs(bytes: Buffer, at: number): number | undefined {
  const hours = number(bytes, at + 1, 2)
  const minutes = number(bytes, at + 3, 2)
  if (!(hours < 24 && minutes < 60)) return undefined
  const ms = hours * HOUR_MS + minutes * MINUTE_MS
  return bytes[at] === 0x2b ? ms : bytes[at] === 0x2d ? -ms : undefined
}

/** The number that `length` digits spell; NaN where they don't. */
function number(bytes: Buffer, from: number, length: number): number {
  let value = 0
  for (let at = from; at < from + length; at++) {
    const digit = (bytes[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function packed(name: string): number {
  return (name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2)
}
