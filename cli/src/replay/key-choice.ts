import { usageFailure } from '../failure.ts'
import { printable } from '../text.ts'

/** What of a request is its key. */
export interface KeyChoice {
  /** As it was typed. */
  readonly name: string
  readonly usesIp: boolean
  readonly usesPath: boolean
  /** The way to a field of a JSON log, where that is the key. */
  readonly field: readonly string[] | undefined
}

const MAX_FIELD = 200

/** `ip`, `path`, `ip+path`, or the name of a field of JSON logs, dots leading inwards: `request.headers.X-Api-Key`. */
export function keyChoice(name: string): KeyChoice {
  const usesIp = name === 'ip' || name === 'ip+path'
  const usesPath = name === 'path' || name === 'ip+path'
  if (usesIp || usesPath) return { name, usesIp, usesPath, field: undefined }
  const field = name.split('.')
  if (name.length <= MAX_FIELD && field.every((part) => part !== '' && !/[\s+]/.test(part)))
    return { name, usesIp, usesPath, field }
  throw usageFailure(
    `--key must be ip, path, ip+path or a field of a JSON log, such as user or request.host; it is ${JSON.stringify(printable(name, 40))}.`,
  )
}

/** The key of a request, from its parts; undefined where a part that it needs is missing. */
export function joinedKey(
  { usesIp, usesPath }: KeyChoice,
  ip: string | undefined,
  path: string | undefined,
): string | undefined {
  if (!usesPath) return ip
  if (!usesIp) return path
  return ip === undefined || path === undefined ? undefined : `${ip} ${path}`
}

/** The path of a request's target: without query or fragment, nor the scheme and host that a request to a proxy has. */
export function pathOf(target: string): string | undefined {
  const end = target.search(/[?#]/)
  const path = (end < 0 ? target : target.slice(0, end)).replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')
  return path === '' ? (target === '' ? undefined : '/') : path
}

/** An address as a key: a server that listens on IPv6 writes `::ffff:` before the IPv4 addresses it sees. */
export function addressOf(text: string): string | undefined {
  if (text === '' || text === '-') return undefined
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice(7) : text
}
