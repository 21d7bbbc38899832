import type { Denied } from './decision.ts'

/** Every code an error of this library can carry. Codes are stable; each has a page in `docs/errors/`. */
export type ErrorCode =
  | 'ERR_HEADGATE_DURATION'
  | 'ERR_HEADGATE_LIMIT'
  | 'ERR_HEADGATE_OPTION'
  | 'ERR_HEADGATE_POLICY'
  | 'ERR_HEADGATE_COST'
  | 'ERR_HEADGATE_KEY'
  | 'ERR_HEADGATE_NAME'
  | 'ERR_HEADGATE_SATURATED'
  | 'ERR_HEADGATE_CLOSED'
  | 'ERR_HEADGATE_CLOCK'
  | 'ERR_HEADGATE_STORE'
  | 'ERR_HEADGATE_WAIT_NEVER'
  | 'ERR_HEADGATE_WAIT_TOO_LONG'
  | 'ERR_HEADGATE_WAIT_QUEUE_FULL'
  | 'ERR_HEADGATE_RECEIPT'

/** The family: whatever this library throws is one of these, and a denial is never thrown. */
export class HeadgateError extends Error {
  override name: string = 'HeadgateError'
  /** Stable, and the name of a page in `docs/errors/`. */
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** What the caller handed over can't be used: says which field, which value and which rule. Nothing was changed. */
export class PolicyError extends HeadgateError {
  override name: string = 'PolicyError'
  /** The option or argument that was wrong, such as `'limit'` or `'policies.ip.window'`. */
  readonly field: string
  /** What stood there. */
  readonly value: unknown

  constructor(code: ErrorCode, field: string, value: unknown, rule: string) {
    super(code, `${field} ${rule}; it is ${show(value)}`)
    this.field = field
    this.value = value
  }
}

/** The store could not decide: it failed, is full or is closed. Never a denial and never an allowance. */
export class StoreError extends HeadgateError {
  override name: string = 'StoreError'
}

/** `wait` gave up: the turn never comes, comes too late, or the queue is full. Nothing was charged. */
export class WaitError extends HeadgateError {
  override name: string = 'WaitError'
  /** The denial it gave up on; undefined where the store was not asked. */
  readonly decision: Denied | undefined

  constructor(code: ErrorCode, message: string, decision?: Denied) {
    super(code, message)
    this.decision = decision
  }
}

/** The text is not a receipt of this limiter. Nothing was given back. */
export class ReceiptError extends HeadgateError {
  override name: string = 'ReceiptError'
  constructor(message: string) {
    super('ERR_HEADGATE_RECEIPT', message)
  }
}

/** A value as it may stand in an error: short, and told apart from its text. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  return Object(value) === value || typeof value === 'bigint' ? `of type ${typeof value}` : String(value)
}
