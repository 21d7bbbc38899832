import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { pathOf, type SchemaFault } from '../config/schema-fault.ts'
import { printable } from '../text.ts'
import { ProblemError } from './problems.ts'

// A check either is what it says or is refused: nothing is coerced, dropped or filled in.
const ajv = new Ajv({ verbose: true, strictTypes: false })

/** A function that hands on what keeps a schema, and throws a `ProblemError` that says how anything else broke it. */
export function validator<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  const validate = ajv.compile(schema)
  return (value) => {
    if (validate(value)) return value as Static<T>
    const [fault] = validate.errors ?? []
    throw invalidRequest(fault as SchemaFault)
  }
}

/** One fault in words: which field, what it must be, what it is. A key's text is not repeated: answers end up in logs. */
function invalidRequest(fault: SchemaFault): ProblemError {
  const { keyword, params, instancePath: pointer } = fault
  if (keyword === 'required') {
    const field = String(params['missingProperty'])
    const or = field === 'policy' ? ', or "limiter" with "keys"' : ''
    return new ProblemError(
      'invalid-request',
      `"${field}" is missing; the body must hold it${or}.`,
      `${pointer}/${field}`,
    )
  }
  if (keyword === 'additionalProperties') {
    const extra = JSON.stringify(printable(String(params['additionalProperty']), 64))
    const known = Object.keys(fault.parentSchema?.properties ?? {}).join(', ')
    return new ProblemError(
      'invalid-request',
      `${extra} is not a field of this body; its fields are ${known}.`,
    )
  }
  const subject = pointer === '' ? 'The body' : JSON.stringify(printable(pathOf(pointer).join('.'), 80))
  const detail = `${subject} must ${ruleOf(fault)}; it is ${shown(fault)}.`
  return new ProblemError('invalid-request', detail, pointer)
}

function ruleOf({ keyword, params, parentSchema }: SchemaFault): string {
  const bound = String(params['limit'])
  if (keyword === 'minimum') return `be at least ${bound}`
  if (keyword === 'maximum') return `be at most ${bound}`
  if (keyword === 'minLength') return `be text of at least ${bound} character`
  if (keyword === 'maxLength') return `be at most ${bound} characters long`
  if (keyword === 'minItems' || keyword === 'minProperties') return `have at least ${bound} entry`
  if (keyword === 'maxItems' || keyword === 'maxProperties') return `have at most ${bound} entries`
  return `be ${TYPES[parentSchema?.type ?? ''] ?? 'text or null'}`
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  array: 'an array',
  string: 'text',
  integer: 'a whole number',
}

function shown({ keyword, data }: SchemaFault): string {
  if (keyword === 'minProperties') return 'empty'
  if (keyword === 'minItems') return 'empty'
  if (keyword === 'maxProperties') return String(Object.keys(data as object).length)
  if (keyword === 'maxItems') return String((data as unknown[]).length)
  if (typeof data === 'string')
    return keyword === 'maxLength' || keyword === 'minLength' ? `${[...data].length}` : 'text'
  if (data === undefined || data === null) return 'missing or null'
  if (Array.isArray(data)) return 'an array'
  return typeof data === 'object' ? 'an object' : String(data)
}
