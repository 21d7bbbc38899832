import { type ErrorCode, PolicyError } from './errors.ts'

/** What a field's value is used as. The value is undefined where the field is missing; what can't be used throws. */
export type Reader<T> = (field: string, value: unknown) => T

/**
 * Options, each read by its schema. A field that the schema has not got is refused: a misspelt option must not be silently the default.
 *
 * @throws PolicyError `ERR_HEADGATE_OPTION`, or what a reader throws.
 */
export function readOptions<T extends object>(
  owner: string,
  options: unknown,
  schema: { readonly [K in keyof T]: Reader<T[K]> },
): T {
  const given = fieldsOf('ERR_HEADGATE_OPTION', owner, options, Object.keys(schema))
  const read: Partial<T> = {}
  for (const field in schema) read[field] = schema[field](field, given[field])
  return read as T
}

/** An object with none but known fields; `path` is where they stand. */
export function fieldsOf(
  code: ErrorCode,
  owner: string,
  value: unknown,
  known: readonly string[],
  path = '',
): Record<string, unknown> {
  if (typeof value !== 'object' || !value) {
    throw new PolicyError(code, owner, value, `must be an object with ${known.join(', ')}`)
  }
  const fields = value as Record<string, unknown>
  for (const field of Object.keys(fields)) {
    if (!known.includes(field)) {
      const all = known.join(', ')
      throw new PolicyError(code, path + field, fields[field], `is unknown to ${owner}, which has ${all}`)
    }
  }
  return fields
}

/** Whatever it is: somebody else looks at it. */
export const anything: Reader<unknown> = (_field, value) => value

/** A whole number in a range; a fallback stands in where there is none. */
export function whole(code: ErrorCode, min: number, max: number, fallback?: number): Reader<number> {
  return (field, value = fallback) => {
    if (isWhole(value, min, max)) return value
    throw new PolicyError(code, field, value, `must be a whole number from ${min} to ${max}`)
  }
}

export function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

/** One of a few words; the first stands in where there is none. */
export function oneOf<const T>(...words: readonly T[]): Reader<T> {
  return (field, value = words[0]) => {
    if (words.includes(value as T)) return value as T
    throw new PolicyError('ERR_HEADGATE_OPTION', field, value, `must be one of ${words.join(', ')}`)
  }
}

/** What has the methods that are needed of it, if it is there. */
export function having<T>(...methods: readonly (keyof T & string)[]): Reader<T | undefined> {
  return (field, value) => {
    const has = (method: string): boolean =>
      typeof (value as Record<string, unknown> | null)?.[method] === 'function'
    if (value === undefined || methods.every(has)) return value as T | undefined
    throw new PolicyError('ERR_HEADGATE_OPTION', field, value, `must have ${methods.join('() and ')}()`)
  }
}
