import { ReceiptError } from './errors.ts'
import type { Mark } from './policy.ts'

/** One policy's part of a receipt: which state, under which numbers, and where the charge stands in it. */
export interface ReceiptPart extends Mark {
  readonly policy: string
  readonly shape: string
  readonly limit: number
  readonly key: string
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

/** A receipt as text: opaque, safe in URLs and headers, whatever the key. Not signed: it is to be kept where it can't be forged. */
export function writeReceipt({ limiter, instance, id, units, parts }: Receipt): string {
  const written = parts.map((part) => [
    part.policy,
    part.shape,
    part.key,
    part.limit,
    part.generation,
    part.chargedAtMicros,
    part.resetAtMicros,
  ])
  // JSON escapes lone surrogates, so UTF-8 loses nothing; it has no word for Infinity and writes null.
  const bytes = new TextEncoder().encode(JSON.stringify([limiter, instance, id, units, written]))
  const text = btoa(String.fromCharCode(...bytes))
  return PREFIX + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws ReceiptError for anything that `writeReceipt` can't have written. */
export function readReceipt(text: unknown): Receipt {
  const read =
    typeof text === 'string' && text.startsWith(PREFIX) ? parse(text.slice(PREFIX.length)) : undefined
  if (read) return read
  throw new ReceiptError('this is no receipt: hand over the text that reserve() gave, whole and unchanged')
}

function parse(body: string): Receipt | undefined {
  try {
    const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const [limiter, instance, id, units, written] = JSON.parse(new TextDecoder().decode(bytes))
    const parts = written.map((part: unknown[]) => {
      const [policy, shape, key, limit, generation, chargedAtMicros, end] = part
      const resetAtMicros = end ?? Number.POSITIVE_INFINITY
      return { policy, shape, key, limit, generation, chargedAtMicros, resetAtMicros }
    })
    return isReceipt([limiter, instance, id], [units], written)
      ? { limiter, instance, id, units, parts }
      : undefined
  } catch {
    return undefined
  }
}

/** Texts where texts belong, and whole numbers where numbers do: whatever else it says can't harm a state. */
function isReceipt(texts: unknown[], numbers: unknown[], parts: unknown[][]): boolean {
  for (const part of parts) {
    texts.push(...part.slice(0, 3))
    numbers.push(...part.slice(3, 6), part[6] ?? 0)
  }
  return (
    parts.length > 0 &&
    texts.every((text) => typeof text === 'string') &&
    numbers.every((number) => Number.isSafeInteger(number))
  )
}
