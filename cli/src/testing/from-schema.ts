import fc from 'fast-check'

/** As much of JSON schema as the service's own schemas use. */
interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
}

/** Values that keep a schema. `words` are texts to prefer: names that mean something to what is tested. */
export function valuesOf(schema: object, words: readonly string[]): fc.Arbitrary<unknown> {
  const own = schema as Schema
  const inner = (part: Schema): fc.Arbitrary<unknown> => valuesOf(part, words)
  if (own.anyOf) return fc.oneof(...own.anyOf.map(inner))
  switch (own.type) {
    case 'null':
      return fc.constant(null)
    case 'integer':
      return fc.oneof(fc.nat({ max: 12 }), fc.integer({ min: own.minimum ?? 0, max: own.maximum ?? 1e9 }))
    case 'string':
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...words) },
        fc
          .string({
            minLength: own.minLength ?? 0,
            maxLength: Math.min(own.maxLength ?? 40, 40),
            unit: 'grapheme',
          })
          .filter((text) => [...text].length <= (own.maxLength ?? 40)),
      )
    case 'array':
      return fc.array(inner(own.items ?? {}), {
        minLength: own.minItems ?? 0,
        maxLength: Math.min(own.maxItems ?? 5, 5),
      })
    case 'object':
      return own.patternProperties ? record(own, inner, words) : object(own, inner)
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`)
  }
}

type Inner = (schema: Schema) => fc.Arbitrary<unknown>

function object({ properties = {}, required = [] }: Schema, inner: Inner): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)]))
  return fc.record(fields, { requiredKeys: [...required] })
}

function record(schema: Schema, inner: Inner, words: readonly string[]): fc.Arbitrary<unknown> {
  const [of = {}] = Object.values(schema.patternProperties ?? {})
  const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, fc.string())
  return fc.dictionary(name, inner(of), {
    minKeys: schema.minProperties ?? 0,
    maxKeys: Math.min(schema.maxProperties ?? 4, 4),
    noNullPrototype: true,
  })
}
