import { ReceiptError } from './errors.ts'
import { isWhole } from './options.ts'

/** One policy's part of a receipt: which state, under which numbers, and where the charge stands in it. */
export type ReceiptPart = readonly [
  policy: string,
  shape: string,
  key: string,
  limit: number,
  generation: number,
  chargedAtMicros: number,
  /** JSON has no word for Infinity, and writes null. */
  resetAtMicros: number | null,
]

/** Whose charge it is: the limiter, the store that dies with its process (empty for one that does not), a unique name, and how much. */
export type ReceiptHead = readonly [limiter: string, instance: string, id: string, units: number]

/** A charge, written down so that it can be given back later, perhaps by another process. Each gives back once. */
export type Receipt = readonly [head: ReceiptHead, ...parts: ReceiptPart[]]

/** Begins every receipt, with the version of its format. */
const PREFIX = 'hg1.'
/** Far longer than any receipt: what is longer is not looked into. */
const MAX_LENGTH = 2 ** 20

/** A receipt as text: opaque, safe in URLs and headers, whatever the key. Not signed: it is to be kept where it can't be forged. */
export function writeReceipt(receipt: Receipt): string {
  const json = JSON.stringify(receipt)
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return PREFIX + btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws ReceiptError for anything that `writeReceipt` can't have written. */
export function readReceipt(text: unknown): Receipt {
  try {
    const body = /^hg1\.([\w-]+)$/.exec(text as string)?.[1] as string
    if (body.length < MAX_LENGTH) {
      const receipt = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
      const isReceipt = (receipt as unknown[][]).every((row, i) => isRow(row, i > 0 ? 7 : 4))
      if (isReceipt && receipt.length > 1) return receipt
    }
  } catch {
    // It is none.
  }
  throw new ReceiptError('it must be the text of a receipt, whole and unchanged')
}

/** Three texts and whole numbers, of which the seventh may be none: whatever else it says can't harm a state. */
function isRow(row: unknown[], length: number): boolean {
  const isNumber = (value: unknown, i: number): boolean =>
    isWhole(value, 0, Number.MAX_SAFE_INTEGER) || (i === 6 && value === null)
  return (
    row.length === length && row.every((value, i) => (i < 3 ? typeof value === 'string' : isNumber(value, i)))
  )
}
