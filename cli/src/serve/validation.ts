import { printable } from '../text.ts'
import { ProblemError } from './problems.ts'

/** What a JSON schema validator says of one fault, with the schema that was broken. */
export interface Fault {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly parentSchema?: { readonly type?: string; readonly properties?: Readonly<Record<string, unknown>> }
  readonly data?: unknown
}

/** One fault in words: which field, what it must be, what it is. A key's text is not repeated: answers end up in logs. */
export function invalidRequest(fault: Fault): ProblemError {
  const { keyword, params } = fault
  if (keyword === 'required') {
    const field = String(params['missingProperty'])
    return new ProblemError('invalid-request', `"${field}" is missing; the body must hold it.`, `/${field}`)
  }
  if (keyword === 'additionalProperties') {
    const extra = JSON.stringify(printable(String(params['additionalProperty']), 64))
    const known = Object.keys(fault.parentSchema?.properties ?? {}).join(', ')
    return new ProblemError(
      'invalid-request',
      `${extra} is not a field of this body; its fields are ${known}.`,
    )
  }
  const pointer = fault.instancePath
  const subject = pointer === '' ? 'The body' : `"${pointer.slice(1)}"`
  return new ProblemError(
    'invalid-request',
    `${subject} must be ${ruleOf(fault)}; it is ${shown(fault)}.`,
    pointer,
  )
}

function ruleOf({ keyword, params, parentSchema }: Fault): string {
  const bound = String(params['limit'])
  if (keyword === 'minimum') return `at least ${bound}`
  if (keyword === 'maximum') return `at most ${bound}`
  if (keyword === 'minLength') return `text of at least ${bound} character`
  if (keyword === 'maxLength') return `at most ${bound} characters long`
  return TYPES[parentSchema?.type ?? ''] ?? 'of another form'
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  string: 'text',
  integer: 'a whole number',
}

function shown({ keyword, data }: Fault): string {
  if (typeof data === 'string')
    return keyword === 'maxLength' || keyword === 'minLength' ? `${[...data].length}` : 'text'
  if (data === undefined || data === null) return 'missing or null'
  if (Array.isArray(data)) return 'an array'
  return typeof data === 'object' ? 'an object' : String(data)
}
