import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Decision, Denied } from 'headgate'
import { MAX_POLICIES_OF_LIMITER } from '../config/config-schema.ts'
import { PROBLEMS, problemType } from './problems.ts'

/** The longest key the service takes, in characters. Longer than 256 and the library keeps its hash, so memory stays bounded by keys. */
const MAX_KEY_LENGTH = 4096
/** The most one request may cost, and the most a limit can be. */
const MAX_UNITS = 1_000_000_000
export const MAX_CHECKS = 100
/** Room for a hundred checks with the keys that people have, or for sixteen of the longest keys there can be, escaped. */
export const MAX_BODY_BYTES = 1_048_576

const MAX_NAME_LENGTH = 64
/** A receipt tells its keys, each of which may take six bytes a character, in base64. */
const MAX_RECEIPT_LENGTH = 49_152

const WholeUnits = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_UNITS, description })
const Name = (description: string) => Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, description })
const Key = (description: string) => Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH, description })
const ByPolicy = <T extends TSchema>(of: T, description: string) =>
  Type.Record(Type.String(), of, { minProperties: 1, maxProperties: MAX_POLICIES_OF_LIMITER, description })

const Cost = Type.Optional(
  WholeUnits('Units it takes, 1 by default. With 0 nothing is charged, and the answer is that of a peek.'),
)

/*
 * A schema with a `title` is a component of the OpenAPI description under that name.
 */

export const PolicyCheck = Type.Object(
  {
    policy: Name('The name of a policy.'),
    key: Key('Whose quota: any text.'),
    cost: Cost,
    limit: Type.Optional(
      WholeUnits(
        'The limit, capacity or burst to hold it against, up to the maxLimit that the policy declares.',
      ),
    ),
  },
  { title: 'PolicyCheck', description: 'One policy, one key.', additionalProperties: false },
)
export type PolicyCheck = Static<typeof PolicyCheck>

export const LimiterCheck = Type.Object(
  {
    limiter: Name('The name of a limiter.'),
    keys: ByPolicy(
      Type.Union([Key('Whose quota: any text.'), Type.Null()]),
      'A key for each policy by its name. A policy without a key, or with null, does not apply; at least one must.',
    ),
    cost: Cost,
    limits: Type.Optional(
      ByPolicy(
        WholeUnits('The limit, capacity or burst to hold it against.'),
        'Limits by policy name, each up to the maxLimit that the policy declares.',
      ),
    ),
  },
  {
    title: 'LimiterCheck',
    description: 'Several policies at once: any one that trips rejects, and then none is charged.',
    additionalProperties: false,
  },
)
export type LimiterCheck = Static<typeof LimiterCheck>

export const Check = Type.Union([PolicyCheck, LimiterCheck], { title: 'Check' })
export type Check = Static<typeof Check>

/** What the service itself asks of a batch: each check in it is looked at, and answered, alone. */
export const BatchEnvelope = Type.Object(
  { checks: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_CHECKS }) },
  { additionalProperties: false },
)

export const Batch = Type.Object(
  { checks: Type.Array(Check, { minItems: 1, maxItems: MAX_CHECKS }) },
  {
    title: 'Batch',
    description:
      'Checks that are decided one after the other, each for itself: one that is denied or wrong stops no other.',
    additionalProperties: false,
  },
)

export const RefundBody = Type.Object(
  {
    receipt: Type.String({
      minLength: 1,
      maxLength: MAX_RECEIPT_LENGTH,
      description: 'The receipt of a decision, whole and unchanged.',
    }),
    units: Type.Optional(WholeUnits('How many units to give back, at most; all by default.')),
  },
  { title: 'Refund', additionalProperties: false },
)
export type RefundBody = Static<typeof RefundBody>

/** JSON has no infinity: an instant that never comes is null. */
const Instant = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const Units = Type.Integer({ minimum: 0 })

const numbers = {
  limit: Units,
  remaining: Units,
  resetAtMs: Instant(
    'When the whole quota is back, if nothing more is charged, in epoch milliseconds; null for never.',
  ),
}

const Numbers = Type.Object(numbers, { title: 'Numbers' })

const decided = {
  policy: Type.String({ description: 'The name of the policy that binds.' }),
  ...numbers,
  decidedAtMs: Type.Number({ description: 'When it was decided, in epoch milliseconds.' }),
  source: Type.Unsafe<Decision['source']>({
    type: 'string',
    enum: ['store', 'denial-cache', 'lease', 'fallback'],
    description: 'Who decided. This service: always the store.',
  }),
  each: Type.Record(Type.String(), Numbers, {
    description: 'The numbers of every policy that applied, by name.',
  }),
}

const AdmittedBody = Type.Object(
  {
    allowed: Type.Literal(true),
    ...decided,
    receipt: Type.Optional(
      Type.String({ description: 'What /v1/refund takes, once; missing where nothing was charged.' }),
    ),
  },
  { title: 'Admitted' },
)

const DeniedBody = Type.Object(
  {
    allowed: Type.Literal(false),
    reason: Type.Unsafe<Denied['reason']>({
      type: 'string',
      enum: ['limit', 'never', 'outage'],
      description: 'limit: wait; never: the cost is above the limit; outage: nobody could decide.',
    }),
    ...decided,
    retryAtMs: Instant('The first instant at which the same cost is admitted; null for never.'),
    retryAfterMs: Instant('How long that is after decidedAtMs.'),
  },
  { title: 'Denied' },
)

export const DecisionBody = Type.Union([AdmittedBody, DeniedBody], { title: 'Decision' })
export type DecisionBody = Static<typeof DecisionBody>
export type NumbersBody = Static<typeof Numbers>

export const RefundedBody = Type.Object(
  {
    refunded: Type.Integer({
      minimum: 0,
      description: 'How many units came back; of several policies, the most of any.',
    }),
  },
  { title: 'Refunded' },
)
export type RefundedBody = Static<typeof RefundedBody>

export const HealthBody = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' })

export const ProblemBody = Type.Object(
  {
    type: Type.Unsafe<string>({
      type: 'string',
      enum: Object.keys(PROBLEMS).map(problemType),
      description: 'What went wrong. Stable.',
    }),
    title: Type.String({ description: 'The type in words, for people.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What is wrong here, and what to do.' }),
    pointer: Type.Optional(
      Type.String({ description: 'Which part of the body is meant, as a JSON pointer.' }),
    ),
  },
  { title: 'Problem', description: 'RFC 9457. Nothing was charged.' },
)

export const DecisionsBody = Type.Object(
  {
    decisions: Type.Array(Type.Union([DecisionBody, ProblemBody]), {
      description: 'An answer for each check in its place: a decision, or the problem that kept it from one.',
    }),
  },
  { title: 'Decisions' },
)
export type DecisionsBody = Static<typeof DecisionsBody>
