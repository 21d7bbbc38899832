import { printable } from '../text.ts'

/** What a JSON schema validator says of one fault, with the schema that was broken and the value that broke it. */
export interface SchemaFault {
  readonly keyword: string
  /** A JSON pointer. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly parentSchema?: {
    readonly type?: string
    readonly title?: string
    readonly properties?: Readonly<Record<string, unknown>>
    readonly propertyNames?: { readonly title?: string }
  }
  readonly data?: unknown
  /** The name that was looked at, where a name broke a rule and not a value. */
  readonly propertyName?: string
}

/** A JSON pointer in its parts. */
export function pathOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A value as it may stand in an error. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(printable(value, 60))
  if (value === null || value === undefined) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? 'an empty map' : 'a map'
}
