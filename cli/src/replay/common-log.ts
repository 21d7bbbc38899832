import { bytesToText } from '../text.ts'
import type { AccessRecord } from './access-record.ts'
import { CommonLogTime } from './common-log-time.ts'
import { addressOf, joinedKey, type KeyChoice, pathOf } from './key-choice.ts'

const SPACE = 0x20
const QUOTE = 0x22
const MINUS = 0x2d
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN = 0x5b

/**
 * Reads lines of the Common and Combined Log Format, as Apache and nginx write them:
 * `host ident user [17/May/2015:10:05:03 +0000] "request" status bytes`, and anything after that.
 *
 * On bytes rather than text: a line is read once, and only the key becomes a string.
 */
export class CommonLogParser {
  readonly #choice: KeyChoice
  readonly #time = new CommonLogTime()

  constructor(choice: KeyChoice) {
    this.#choice = choice
  }

  /** The request on the line `bytes[start, end)`; undefined where the line is of another format, broken, or lacks its key. */
  parse(bytes: Buffer, start: number, end: number): AccessRecord | undefined {
    const hostEnd = bytes.indexOf(SPACE, start)
    if (hostEnd <= start || hostEnd >= end) return undefined
    const bracket = findTime(bytes, hostEnd, end)
    if (bracket < 0) return undefined
    const timeMs = this.#time.parse(bytes, bracket)
    const open = bracket + CommonLogTime.LENGTH + 2
    const close = timeMs === undefined ? -1 : closeOfRequest(bytes, open, end)
    const status = close < 0 ? -1 : statusAt(bytes, close + 1, end)
    if (timeMs === undefined || status < 0) return undefined
    const { usesIp, usesPath } = this.#choice
    const ip = usesIp ? clientText(bytes, start, hostEnd, bracket) : undefined
    const key = joinedKey(this.#choice, ip, usesPath ? pathText(bytes, open, close) : undefined)
    return key === undefined ? undefined : { timeMs, key, status }
  }
}

/** Where ` [` opens the time: after host, ident and user, of which the user alone may hold spaces. */
function findTime(bytes: Buffer, hostEnd: number, end: number): number {
  const identEnd = bytes.indexOf(SPACE, hostEnd + 1)
  if (identEnd < 0) return -1
  // The time, its quotes, a status and a size follow the bracket: 28 + 10 bytes at least.
  const last = end - CommonLogTime.LENGTH - 8
  for (let at = identEnd + 2; at < last; at++) {
    if (bytes[at] === OPEN && bytes[at - 1] === SPACE && bytes[at + 3] === 0x2f && bytes[at + 7] === 0x2f)
      return at
  }
  return -1
}

/** Where the request ends whose text opens at `open`, after ` "`; -1 where that is not so. */
function closeOfRequest(bytes: Buffer, open: number, end: number): number {
  return bytes[open - 2] === SPACE && bytes[open - 1] === QUOTE ? closingQuote(bytes, open, end) : -1
}

/** The status in ` status bytes`, which the end or a space follows; -1 where that is not so. */
function statusAt(bytes: Buffer, from: number, end: number): number {
  if (bytes[from] !== SPACE || bytes[from + 4] !== SPACE) return -1
  let status = 0
  for (let at = from + 1; at < from + 4; at++) {
    if (!isDigit(bytes[at])) return -1
    status = status * 10 + (bytes[at] ?? 0) - 0x30
  }
  let at = from + 5
  if (at < end && bytes[at] === MINUS) at++
  else while (at < end && isDigit(bytes[at])) at++
  return at > from + 5 && (at === end || bytes[at] === SPACE) ? status : -1
}

/** Apache writes a quote inside the request as `\"`. */
function closingQuote(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at
  }
  return -1
}

/**
 * False where the first field is no client: a `-`, which would put strangers into one bucket; or the `name:port` of a virtual host, which
 * Apache's vhost_combined puts before the client.
 */
function namesClient(bytes: Buffer, start: number, hostEnd: number, bracket: number): boolean {
  if (hostEnd === start + 1 && bytes[start] === MINUS) return false
  let at = hostEnd - 1
  while (at > start && isDigit(bytes[at])) at--
  if (at === hostEnd - 1 || bytes[at] !== COLON) return true
  const second = bytes.toString('latin1', hostEnd + 1, bytes.indexOf(SPACE, hostEnd + 1))
  const fields = bytes.toString('latin1', start, bracket).trimEnd().split(' ').length
  return fields === 3 || !/^[\da-f]*[.:][\da-f.:]+$/i.test(second)
}

function clientText(bytes: Buffer, start: number, hostEnd: number, bracket: number): string | undefined {
  if (!namesClient(bytes, start, hostEnd, bracket)) return undefined
  return addressOf(text(bytes, start, hostEnd))
}

/** The path in `GET /a/b?c HTTP/1.1`. */
function pathText(bytes: Buffer, open: number, close: number): string | undefined {
  const space = bytes.indexOf(SPACE, open)
  if (space < 0 || space >= close) return undefined
  const end = bytes.indexOf(SPACE, space + 1)
  return pathOf(text(bytes, space + 1, end < 0 || end > close ? close : end))
}

function text(bytes: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at++)
    if ((bytes[at] ?? 0) > 0x7f) return bytesToText(bytes.subarray(start, end))
  return bytes.toString('latin1', start, end)
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
