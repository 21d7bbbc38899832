export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a text spells; undefined where it is no JSON, or something else. */
export function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A field as text to tell clients apart by: a text, number or truth value, or a list of them, as headers are logged. */
export function fieldText(line: JsonObject, way: readonly string[]): string | undefined {
  const whole = way.length > 1 ? own(line, way.join('.')) : undefined
  const found = whole === undefined ? way.reduce<unknown>(own, line) : whole
  const text = Array.isArray(found) ? listText(found) : scalarText(found)
  return text === '' ? undefined : text
}

function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function listText(list: readonly unknown[]): string | undefined {
  const texts = list.map(scalarText)
  return texts.includes(undefined) ? undefined : texts.join(', ')
}

function scalarText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
