import { type Static, Type } from '@sinclair/typebox'

/** No colon and no slash, which stand beside names in receipts and lists. */
const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'
const NAME_RULE = 'be at most 64 letters, digits, dots, "_" and "-", and begin with a letter or digit'

/** The most policies that one limiter may compose: as many keys go into a check and into its receipt. */
export const MAX_POLICIES_OF_LIMITER = 16

const byName = <T extends Parameters<typeof Type.Record>[1]>(of: T, options: Record<string, unknown>) =>
  Type.Record(Type.String(), of, {
    propertyNames: { type: 'string', pattern: NAME_PATTERN, title: NAME_RULE },
    ...options,
  })

/** A policy is looked at by the schema of its algorithm, which first must be known. */
const AnyPolicy = Type.Object(
  { algorithm: Type.String({ title: 'the name of an algorithm' }) },
  { title: 'a policy: its algorithm and its numbers' },
)

const LimiterEntry = Type.Object(
  {
    policies: byName(AnyPolicy, {
      minProperties: 1,
      maxProperties: MAX_POLICIES_OF_LIMITER,
      title: `from 1 to ${MAX_POLICIES_OF_LIMITER} policies by name`,
      description:
        'The policies that are checked together: any one that trips rejects, and then none is charged.',
    }),
  },
  { title: 'a limiter: its policies by name', additionalProperties: false },
)

/** The whole file. */
export const ConfigFile = Type.Object(
  {
    policies: Type.Optional(
      byName(AnyPolicy, {
        title: 'policies by name',
        description: 'Policies that are asked for one at a time, each with one key.',
      }),
    ),
    limiters: Type.Optional(
      byName(LimiterEntry, {
        title: 'limiters by name',
        description: 'Several policies under one name, asked for together, with a key for each.',
      }),
    ),
  },
  { title: 'a map with policies, limiters or both', additionalProperties: false },
)
export type ConfigFile = Static<typeof ConfigFile>
