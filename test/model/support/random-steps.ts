import fc from 'fast-check'

/**
 * A step is an intent, resolved only when it is played: "to the instant the last denial named, a microsecond early" can't be known before.
 * `nudge` is in microseconds: just before, at, and just after the instant meant.
 */
export type Move =
  | { readonly to: 'stay' }
  | { readonly to: 'retry' | 'reset'; readonly nudge: number }
  /** So many windows on, to a multiple of the policy's window. */
  | { readonly to: 'edge'; readonly windows: number; readonly nudge: number }
  /** On by so many sixteenths of the policy's window or fill time. */
  | { readonly to: 'ahead'; readonly sixteenths: number; readonly nudge: number }
  | { readonly to: 'micros'; readonly by: number }
  /** Back from now by so many sixteenths of the policy's span. */
  | { readonly to: 'back'; readonly sixteenths: number; readonly nudge: number }
  /** To so many spans before the instant of the last charge: 1 is the very edge of the repair. */
  | { readonly to: 'before-charge'; readonly spans: number; readonly nudge: number }

export type CostIntent =
  | { readonly of: 'units'; readonly units: number }
  | { readonly of: 'share'; readonly eighths: number }
  | { readonly of: 'limit' | 'remaining'; readonly more: number }

export type Act =
  | { readonly do: 'take' | 'reserve' | 'peek' | 'charge'; readonly cost: CostIntent }
  /** `which` counts back from the newest receipt that was not tried yet, or with `again` from the newest; `eighths` of its units, null for all. */
  | {
      readonly do: 'refund'
      readonly which: number
      readonly again: boolean
      readonly eighths: number | null
    }
  | { readonly do: 'reset' }

export interface Step {
  readonly move: Move
  readonly act: Act
  /** Which policy's window or span a move is measured in. */
  readonly by: number
  /** A bit for each policy: its first key or its second; whether it applies. */
  readonly keyBits: number
  readonly absentBits: number
  /** 0: the declared limits; else another limit for this call, by its number. */
  readonly plan: number
}

export interface Kind {
  readonly back?: boolean
  readonly refunds?: boolean
  readonly debt?: boolean
  /** Charges so large that use saturates. */
  readonly deep?: boolean
  readonly plans?: boolean
  readonly resets?: boolean
  readonly keys?: boolean
}

const nudge = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1))
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T>[] =>
  weight > 0 ? [{ weight, arbitrary }] : []

/** Sixteenths of a window: mostly few, so that several charges are live at once. */
const few = fc.integer({ min: 0, max: 5 })
const many = fc.integer({ min: 0, max: 48 })
const sixteenths = fc.oneof({ weight: 3, arbitrary: few }, { weight: 1, arbitrary: many })

function moves(back: boolean): fc.Arbitrary<Move> {
  const to = <T extends string>(name: T): fc.Arbitrary<T> => fc.constant(name)
  return fc.oneof(
    ...weighted<Move>(6, fc.constant({ to: 'stay' as const })),
    ...weighted<Move>(3, fc.record({ to: to('retry'), nudge })),
    ...weighted<Move>(1, fc.record({ to: to('reset'), nudge })),
    ...weighted<Move>(2, fc.record({ to: to('edge'), windows: fc.integer({ min: 1, max: 3 }), nudge })),
    ...weighted<Move>(8, fc.record({ to: to('ahead'), sixteenths, nudge })),
    ...weighted<Move>(2, fc.record({ to: to('micros'), by: fc.integer({ min: 1, max: 3_000 }) })),
    ...weighted<Move>(back ? 3 : 0, fc.record({ to: to('back'), sixteenths, nudge })),
    ...weighted<Move>(
      back ? 2 : 0,
      fc.record({ to: to('before-charge'), spans: fc.integer({ min: 0, max: 2 }), nudge }),
    ),
  )
}

const costs: fc.Arbitrary<CostIntent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ of: fc.constant('units' as const), units: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ of: 'units' as const, units: 0 }) },
  {
    weight: 3,
    arbitrary: fc.record({ of: fc.constant('share' as const), eighths: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ of: fc.constant('remaining' as const), more: fc.integer({ min: -1, max: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ of: fc.constant('limit' as const), more: fc.integer({ min: -1, max: 1 }) }),
  },
)

/** The most that one charge may be, or nearly: a few of them saturate. */
const plunges: fc.Arbitrary<CostIntent> = fc
  .constantFrom(1_000_000_000, 999_999_999, 500_000_000)
  .map((units) => ({ of: 'units' as const, units }))

function asking({ refunds, debt, deep, resets }: Kind): fc.Arbitrary<Act> {
  const costing = (
    kind: 'take' | 'reserve' | 'peek' | 'charge',
    cost: fc.Arbitrary<CostIntent>,
    weight: number,
  ): fc.WeightedArbitrary<Act>[] => weighted<Act>(weight, fc.record({ do: fc.constant(kind), cost }))
  return fc.oneof(
    ...costing('take', costs, refunds ? 5 : 14),
    ...costing('reserve', costs, refunds ? 9 : 0),
    ...costing('peek', costs, 2),
    ...costing('charge', costs, debt ? 2 : 0),
    ...costing('charge', plunges, deep ? 12 : 0),
    ...weighted<Act>(resets ? 1 : 0, fc.constant({ do: 'reset' as const })),
  )
}

const refunding: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('refund' as const),
  which: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 4 })),
  again: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  eighths: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
})

const rarely = (arbitrary: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary })

export function steps(kind: Kind, maxLength = 24): fc.Arbitrary<Step[]> {
  const step = (move: fc.Arbitrary<Move>, act: fc.Arbitrary<Act>): fc.Arbitrary<Step> =>
    fc.record({
      move,
      act,
      by: fc.nat({ max: 4 }),
      keyBits: kind.keys ? rarely(fc.nat({ max: 31 })) : fc.constant(0),
      absentBits: kind.keys ? rarely(fc.nat({ max: 31 })) : fc.constant(0),
      plan: kind.plans ? rarely(fc.integer({ min: 1, max: 4 })) : fc.constant(0),
    })
  const any = moves(kind.back ?? false)
  // Far from its charge a receipt is void; most are tried while there is something to give back.
  const near = fc.oneof(
    { weight: 2, arbitrary: fc.constant({ to: 'stay' as const }) },
    { weight: 1, arbitrary: any },
  )
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: step(any, asking(kind)) },
      ...(kind.refunds ? [{ weight: 1, arbitrary: step(near, refunding) }] : []),
    ),
    { minLength: 1, maxLength, size: 'max' },
  )
}

/** The epoch, a usual day, an instant with a fraction, and a day so late that resets pass the horizon. */
export const startsMicros: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0n, 1n, 1_000_000n, 1_700_000_000_000_000n) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 4_000_000_000n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 1_600_000_000_000_000n, max: 1_900_000_000_000_000n }) },
  {
    weight: 1,
    arbitrary: fc.bigInt({ min: 0n, max: 90_000_000_000n }).map((back) => 2n ** 42n * 1000n - 1n - back),
  },
)
