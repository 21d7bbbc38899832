import { ReceiptError } from './errors.ts'
import { type Algorithm, MAX_KEEP_MICROS, MAX_LIMIT, type Mark, type RuleNumbers } from './policy.ts'

/** One policy's part of a receipt: which state, under which numbers, and where the charge stands in it. */
export interface ReceiptPart extends RuleNumbers, Mark {
  readonly policy: string
  readonly algorithm: Algorithm
  readonly key: string
  readonly spanMicros: number
}

/** A charge, written down so that it can be given back later, perhaps by another process. */
export interface Receipt {
  /** The limiter's name. */
  readonly limiter: string
  /** The store that dies with its process; empty for one that does not. */
  readonly instance: string
  /** Unique: a receipt gives back once. */
  readonly id: string
  readonly units: number
  readonly parts: readonly ReceiptPart[]
}

/** Begins every receipt, with the version of its format. */
const PREFIX = 'hg1.'
const VARIANTS: readonly unknown[] = ['', 'epoch', 'strict']
const ALGORITHMS: readonly unknown[] = [
  'fixed-window',
  'sliding-window',
  'sliding-log',
  'token-bucket',
  'gcra',
]

/** Instants may be `Infinity`, which JSON has no word for. */
type Written = number | null
type WrittenPart = [
  string,
  Algorithm,
  number,
  number,
  number,
  string,
  Written,
  string,
  number,
  Written,
  number,
]
type WrittenReceipt = [string, string, string, number, WrittenPart[]]

/** A receipt as text: opaque, safe in URLs and headers, whatever the key. Not signed: it is to be kept where it can't be forged. */
export function writeReceipt(receipt: Receipt): string {
  const parts = receipt.parts.map((part) => [
    part.policy,
    part.algorithm,
    part.limit,
    part.windowMicros,
    part.refill,
    part.variant,
    part.spanMicros,
    part.key,
    part.atMicros,
    part.endMicros,
    part.generation,
  ])
  const json = JSON.stringify([receipt.limiter, receipt.instance, receipt.id, receipt.units, parts])
  // JSON escapes lone surrogates, so UTF-8 loses nothing.
  const binary = String.fromCharCode(...new TextEncoder().encode(json))
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${PREFIX}${text}.${checksum(text)}`
}

/** @throws ReceiptError for anything that `writeReceipt` did not write, cut or changed texts included. */
export function readReceipt(text: unknown): Receipt {
  const [, body = '', sum] = typeof text === 'string' && text.startsWith(PREFIX) ? text.split('.') : []
  const written = sum !== undefined && sum === checksum(body) ? parse(body) : undefined
  if (!written || !isReceipt(written)) {
    throw new ReceiptError(
      'this is not a receipt: hand over the text that reserve() gave, whole and unchanged',
    )
  }
  const [limiter, instance, id, units, parts] = written
  return { limiter, instance, id, units, parts: parts.map(readPart) }
}

function readPart(part: WrittenPart): ReceiptPart {
  const [policy, algorithm, limit, windowMicros, refill, variant, span, key, atMicros, end, generation] = part
  return {
    policy,
    algorithm,
    limit,
    windowMicros,
    refill,
    variant: variant as RuleNumbers['variant'],
    spanMicros: span ?? Number.POSITIVE_INFINITY,
    key,
    atMicros,
    endMicros: end ?? Number.POSITIVE_INFINITY,
    generation,
  }
}

function parse(body: string): unknown {
  try {
    const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function isReceipt(value: unknown): value is WrittenReceipt {
  if (!Array.isArray(value) || value.length !== 5) return false
  const [limiter, instance, id, units, parts] = value
  const texts = [limiter, instance, id].every((text) => typeof text === 'string')
  return texts && isCount(units) && Array.isArray(parts) && parts.length > 0 && parts.every(isPart)
}

function isPart(value: unknown): value is WrittenPart {
  if (!Array.isArray(value) || value.length !== 11) return false
  const [policy, algorithm, limit, windowMicros, refill, variant, span, key, at, end, generation] = value
  return (
    typeof policy === 'string' &&
    typeof key === 'string' &&
    ALGORITHMS.includes(algorithm) &&
    VARIANTS.includes(variant) &&
    [limit, refill].every((count) => isCount(count) && count <= MAX_LIMIT) &&
    isCount(windowMicros) &&
    windowMicros >= 1000 &&
    windowMicros <= MAX_KEEP_MICROS &&
    isCount(generation) &&
    [span, end].every((instant) => instant === null || isCount(instant)) &&
    Number.isSafeInteger(at)
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** FNV-1a in 32 bits: tells a cut or mistyped receipt from a whole one. It is no signature. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
