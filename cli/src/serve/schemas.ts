import { type Static, Type } from '@sinclair/typebox'

/** The longest key the service takes, in characters. Longer than 256 and the library keeps its hash, so memory stays bounded by keys. */
const MAX_KEY_LENGTH = 4096
/** The most one request may cost, and the most a limit can be. */
const MAX_COST = 1_000_000_000
/** Room for the longest key with each of its characters escaped as two `\uXXXX`, and for the longest receipt. */
export const MAX_BODY_BYTES = 65_536

const MAX_POLICY_NAME_LENGTH = 64
/** A receipt tells its key, which may take six bytes a character, in base64. */
const MAX_RECEIPT_LENGTH = 16_384

const WholeUnits = (minimum: number) => Type.Integer({ minimum, maximum: MAX_COST })

/** JSON has no infinity: an instant that never comes is null. */
const Instant = Type.Union([Type.Number(), Type.Null()])

export const CheckBody = Type.Object(
  {
    policy: Type.String({ minLength: 1, maxLength: MAX_POLICY_NAME_LENGTH }),
    key: Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH }),
    cost: Type.Optional(WholeUnits(0)),
  },
  { additionalProperties: false },
)
export type CheckBody = Static<typeof CheckBody>

export const RefundBody = Type.Object(
  {
    receipt: Type.String({ minLength: 1, maxLength: MAX_RECEIPT_LENGTH }),
    units: Type.Optional(WholeUnits(0)),
  },
  { additionalProperties: false },
)
export type RefundBody = Static<typeof RefundBody>

const Numbers = Type.Object({ limit: Type.Number(), remaining: Type.Number(), resetAtMs: Instant })

export const DecisionBody = Type.Object({
  allowed: Type.Boolean(),
  reason: Type.Optional(Type.Union([Type.Literal('limit'), Type.Literal('never'), Type.Literal('outage')])),
  policy: Type.String(),
  limit: Type.Number(),
  remaining: Type.Number(),
  decidedAtMs: Type.Number(),
  resetAtMs: Instant,
  retryAtMs: Type.Optional(Instant),
  retryAfterMs: Type.Optional(Instant),
  source: Type.String(),
  each: Type.Record(Type.String(), Numbers),
  receipt: Type.Optional(Type.String()),
})
export type DecisionBody = Static<typeof DecisionBody>

export const RefundedBody = Type.Object({ refunded: Type.Integer() })
export type RefundedBody = Static<typeof RefundedBody>

export const HealthBody = Type.Object({ status: Type.Literal('ok') })

export const ProblemBody = Type.Object({
  type: Type.String({ format: 'uri' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  pointer: Type.Optional(Type.String()),
})
