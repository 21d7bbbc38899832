import {
  type Duration,
  fixedWindow,
  gcra,
  Limiter,
  leakyBucket,
  MemoryStore,
  type Policy,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from 'headgate'
import { expect, it } from 'vitest'
import { ALGORITHMS, BUCKETS, FIXED, FIXED_WINDOWS, LOG, SLIDING, STRICT } from './algorithms.ts'
import { composedRig, kind, rig, sizeOf } from './rig.ts'
import { follow, no, ok, STARTS, timelines } from './timeline.ts'

const START = STARTS[1] ?? 0
const NEVER = Number.POSITIVE_INFINITY

/** What JavaScript and JSON may hand over where a number belongs. */
const NO_WHOLE_NUMBERS: readonly unknown[] = [
  Number.NaN,
  -1,
  -0.5,
  1.5,
  NEVER,
  -NEVER,
  '5',
  '',
  null,
  true,
  [5],
  {},
  5n,
  1e9 + 1,
  2 ** 53,
  new Date(0),
]
const NO_DURATIONS: readonly unknown[] = [
  0,
  -5,
  0.5,
  1.5,
  Number.NaN,
  NEVER,
  '',
  '5',
  '0s',
  '-1s',
  '1.5ms',
  '1 s',
  '1S',
  '1w',
  '1month',
  's',
  'NaNms',
  '1e3ms',
  '0x10ms',
  null,
  undefined,
  true,
  {},
  [1000],
  1000n,
  366 * 86_400_000 + 1,
  '367d',
]

interface Made {
  readonly field: string
  readonly make: (value: never) => Policy
}

const NUMBER_FIELDS: readonly Made[] = [
  { field: 'limit', make: (limit) => fixedWindow({ limit, window: 1000 }) },
  { field: 'limit', make: (limit) => slidingWindow({ limit, window: 1000 }) },
  { field: 'limit', make: (limit) => slidingLog({ limit, window: 1000 }) },
  { field: 'capacity', make: (capacity) => tokenBucket({ capacity, refill: 1, per: 1000 }) },
  { field: 'refill', make: (refill) => tokenBucket({ capacity: 1, refill, per: 1000 }) },
  { field: 'rate', make: (rate) => gcra({ rate, per: 1000, burst: 1 }) },
  { field: 'burst', make: (burst) => gcra({ rate: 1, per: 1000, burst }) },
  { field: 'rate', make: (rate) => leakyBucket({ rate, per: 1000 }) },
]
const DURATION_FIELDS: readonly Made[] = [
  { field: 'window', make: (window) => fixedWindow({ limit: 1, window }) },
  { field: 'window', make: (window) => fixedWindow({ limit: 1, window, align: 'epoch' }) },
  { field: 'window', make: (window) => slidingWindow({ limit: 1, window }) },
  { field: 'window', make: (window) => slidingLog({ limit: 1, window }) },
  { field: 'per', make: (per) => tokenBucket({ capacity: 1, refill: 1, per }) },
  { field: 'per', make: (per) => gcra({ rate: 1, per, burst: 1 }) },
  { field: 'per', make: (per) => leakyBucket({ rate: 1, per }) },
]

function refusals(fields: readonly Made[], values: readonly unknown[], code: string): void {
  for (const [index, { field, make }] of fields.entries()) {
    it(`maker ${index}: a ${field} that is none is refused when it is given, by its name (${code})`, () => {
      for (const value of [...values, undefined]) {
        expect(() => make(value as never), `${field}: ${String(value)}`).toThrow(
          expect.objectContaining({
            name: 'PolicyError',
            code,
            field,
            value,
            message: expect.stringContaining(field),
          }),
        )
      }
    })
  }
}

kind('nonsense-numbers-accepted', (store) => {
  refusals(NUMBER_FIELDS, NO_WHOLE_NUMBERS, 'ERR_HEADGATE_LIMIT')
  refusals(DURATION_FIELDS, NO_DURATIONS, 'ERR_HEADGATE_DURATION')

  it('a log keeps an entry a hit, and refuses more than a million of them', () => {
    expect(slidingLog({ limit: 1e6, window: 1000 }).limit).toBe(1e6)
    expect(() => slidingLog({ limit: 1e6 + 1, window: 1000 })).toThrow(
      expect.objectContaining({ code: 'ERR_HEADGATE_LIMIT' }),
    )
  })

  it('a field that is not known is refused, not ignored', () => {
    const misspelt: readonly (() => Policy)[] = [
      () => fixedWindow({ limit: 1, windowMs: 1000 } as never),
      () => fixedWindow({ limit: 1, window: 1000, max: 5 } as never),
      () => slidingWindow({ limit: 1, window: 1000, align: 'epoch' } as never),
      () => tokenBucket({ capacity: 1, refill: 1, per: 1000, burst: 2 } as never),
      () => gcra({ rate: 1, per: 1000, burst: 1, capacity: 1 } as never),
    ]
    for (const make of misspelt)
      expect(make).toThrow(expect.objectContaining({ name: 'PolicyError', code: 'ERR_HEADGATE_OPTION' }))
    for (const align of ['day', 1, null]) {
      expect(() => fixedWindow({ limit: 1, window: 1000, align: align as never })).toThrow(
        expect.objectContaining({ field: 'align', value: align }),
      )
    }
  })

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: a cost that is none is refused by its name, and changes nothing for anyone`, async () => {
      const { limiter, store: states } = await rig(store, policy(5, 60_000), START)
      await limiter.take('other')
      for (const value of [Number.NaN, -1, 1.5, NEVER, '5', null, 5n, {}]) {
        const cost = value as number
        const refused = { name: 'PolicyError', code: 'ERR_HEADGATE_COST', value }
        await expect(limiter.take('user', { cost }), String(value)).rejects.toMatchObject({
          ...refused,
          field: 'cost',
        })
        await expect(limiter.peek('user', { cost }), String(value)).rejects.toMatchObject(refused)
        await expect(limiter.reserve('user', { cost }), String(value)).rejects.toMatchObject(refused)
        await expect(limiter.wait('user', { cost }), String(value)).rejects.toMatchObject(refused)
        await expect(limiter.charge('user', cost), String(value)).rejects.toMatchObject({
          ...refused,
          field: 'units',
        })
      }
      expect(sizeOf(states) ?? 1).toBe(1)
      expect([(await limiter.take('user')).remaining, (await limiter.take('other')).remaining]).toEqual([
        4, 3,
      ])
    })
  }

  it('a policy of a call that no maker made is refused, and other keys go on', async () => {
    const { limiter, store: states } = await rig(store, FIXED.policy(5, 60_000), START)
    await limiter.take('other')
    const made = FIXED.policy(5, 60_000)
    const forged = [
      { ...made, limit: Number.NaN },
      { ...made },
      { limit: 5, window: 1000 },
      {},
      5,
      'fixed-window',
    ]
    for (const policy of forged) {
      const call = limiter.take('user', { policy: policy as Policy })
      await expect(call, JSON.stringify(policy)).rejects.toMatchObject({
        name: 'PolicyError',
        code: 'ERR_HEADGATE_POLICY',
      })
    }
    expect([sizeOf(states) ?? 1, (await limiter.take('other')).remaining]).toEqual([1, 3])
  })

  it('a policy can not be changed after it was made', () => {
    for (const { policy } of ALGORITHMS) {
      const made = policy(5, 1000)
      expect(() => Object.assign(made, { limit: Number.NaN })).toThrow(TypeError)
      expect(made.limit).toBe(5)
    }
  })

  it('options of a limiter and a store that make no sense are refused by name', () => {
    const policy = FIXED.policy(5, 1000)
    for (const value of [0, -1, 1.5, Number.NaN, '5']) {
      expect(() => new MemoryStore({ maxKeys: value as number }), `maxKeys ${value}`).toThrow(
        expect.objectContaining({ code: 'ERR_HEADGATE_OPTION', field: 'maxKeys', value }),
      )
      expect(() => new Limiter({ policy, maxWaiters: value as number }), `maxWaiters ${value}`).toThrow(
        expect.objectContaining({ code: 'ERR_HEADGATE_OPTION', field: 'maxWaiters', value }),
      )
    }
    for (const options of [
      { policy, onOutage: 'open' },
      { policy, limit: 5 },
      { policy, deadlineMs: 50 },
      {},
      { policies: {} },
    ]) {
      expect(() => new Limiter(options as { policy: Policy })).toThrow(
        expect.objectContaining({ code: 'ERR_HEADGATE_OPTION' }),
      )
    }
  })
})

kind('zero-means-unlimited', (store) => {
  for (const { name, policy } of ALGORITHMS) {
    timelines(store, [
      {
        promise: `${name}: a limit of 0 denies everything, for ever`,
        policy: policy(0, 1000),
        steps: [0, 1, 999, 1000, 100_000].flatMap((at) => [
          no(at, { limit: 0, remaining: 0, reason: 'never', retryAfterMs: NEVER, resetAfterMs: 0 }),
          no(at, { cost: 5, remaining: 0, reason: 'never', retryAfterMs: NEVER }),
        ]),
      },
      {
        promise: `${name}: a limit cut to 0 for a call denies it, and the declared one stands`,
        policy: policy(5, 1000),
        steps: [
          ok(0, { remaining: 4 }),
          no(0, { policy: policy(0, 1000), remaining: 0, reason: 'never' }),
          ...(BUCKETS.some((bucket) => bucket.name === name) ? [] : [ok(0, { remaining: 3 })]),
        ],
      },
    ])

    it(`${name}: a wait for a limit of 0 ends at once`, async () => {
      const { limiter } = await rig(store, policy(0, 1000), START)
      await expect(limiter.wait('user')).rejects.toMatchObject({
        name: 'WaitError',
        code: 'ERR_HEADGATE_WAIT_NEVER',
      })
    })
  }

  const never = { remaining: 0, retryAfterMs: NEVER, resetAfterMs: NEVER }
  for (const [name, policy] of [
    ['token bucket', tokenBucket({ capacity: 1, refill: 0, per: 1000 })],
    ['gcra', gcra({ rate: 0, per: 1000, burst: 1 })],
    ['leaky bucket', leakyBucket({ rate: 0, per: 1000 })],
  ] as const) {
    timelines(store, [
      {
        promise: `${name}: a rate of 0 gives the first fill and no more`,
        policy,
        steps: [
          ok(0, { remaining: 0, resetAfterMs: NEVER }),
          no(0, never),
          no(1000, never),
          no(86_400_000, never),
        ],
      },
    ])

    it(`${name}: a wait for a rate of 0 ends at once`, async () => {
      const { limiter } = await rig(store, policy, START)
      await limiter.wait('user')
      await expect(limiter.wait('user')).rejects.toMatchObject({
        name: 'WaitError',
        code: 'ERR_HEADGATE_WAIT_NEVER',
      })
    })
  }
})

kind('duration-honoured-in-one-place', (store) => {
  const spellings: readonly Duration[] = [120_000, '2m', '120s', '120000ms', '2.0m']
  for (const window of spellings) {
    const everyPlace: readonly (readonly [string, Policy])[] = [
      ['fixedWindow', fixedWindow({ limit: 1, window })],
      ['slidingLog', slidingLog({ limit: 1, window })],
      ['tokenBucket', tokenBucket({ capacity: 1, refill: 1, per: window })],
      ['gcra', gcra({ rate: 1, per: window, burst: 1 })],
      ['leakyBucket', leakyBucket({ rate: 1, per: window })],
    ]
    for (const [name, policy] of everyPlace) {
      it(`${window} is two minutes in ${name}: declared, composed and for one call`, async () => {
        expect(policy.windowMs).toBe(120_000)
        const steps = [ok(0), no(60_001), no(119_999), ok(120_000)]
        const declared = await rig(store, policy, START)
        await follow(declared.limiter, declared.clock, steps, START)

        const forOneCall = await rig(store, FIXED.policy(99, 1000), START)
        await follow(
          forOneCall.limiter,
          forOneCall.clock,
          steps.map((step) => ({ ...step, policy })),
          START,
        )

        const { clock, limiter } = await composedRig(
          store,
          { outer: FIXED.policy(99, 1000), inner: policy },
          START,
        )
        for (const { at, allowed } of steps) {
          clock.set(START + at)
          expect((await limiter.take({ outer: 'all', inner: 'user' })).allowed, `composed, at ${at}`).toBe(
            allowed,
          )
        }
      })
    }
  }
  for (const window of spellings) {
    timelines(store, [
      {
        promise: `${window} is two minutes in a strict slidingWindow, which lets go after two of them`,
        policy: slidingWindow({ limit: 1, window, strict: true }),
        steps: [ok(0), no(60_001), no(239_999), ok(240_000)],
      },
    ])
  }
})

kind('default-burst-rounds-to-zero', (store) => {
  timelines(store, [
    {
      promise: 'a burst of five a day is five at once',
      policy: gcra({ rate: 5, per: '1d', burst: 5 }),
      steps: [ok(0, { times: 5, remaining: 0 }), no(0, { retryAfterMs: 17_280_000 })],
    },
    {
      promise: 'a leaky bucket of five a day is one, and the next when a fifth of the day is over',
      policy: leakyBucket({ rate: 5, per: '1d' }),
      steps: [
        ok(0, { limit: 1, remaining: 0 }),
        no(0, { retryAfterMs: 17_280_000 }),
        no(17_279_999.999),
        ok(17_280_000),
      ],
    },
    {
      promise: 'a rate of one in 366 days is one, not none',
      policy: leakyBucket({ rate: 1, per: '366d' }),
      steps: [ok(0), no(1, { retryAfterMs: 366 * 86_400_000 - 1 }), ok(366 * 86_400_000)],
    },
  ])

  it('a burst, a rate or a refill that is left out is an error that names it, never a computed default', () => {
    const incomplete: readonly (readonly [string, () => Policy])[] = [
      ['burst', () => gcra({ rate: 5, per: '1d' } as never)],
      ['rate', () => gcra({ per: '1d', burst: 5 } as never)],
      ['per', () => gcra({ rate: 5, burst: 5 } as never)],
      ['refill', () => tokenBucket({ capacity: 5, per: '1d' } as never)],
      ['capacity', () => tokenBucket({ refill: 5, per: '1d' } as never)],
      ['limit', () => fixedWindow({ window: '1d' } as never)],
      ['window', () => slidingWindow({ limit: 5 } as never)],
      ['window', () => slidingLog({ limit: 5 } as never)],
      ['rate', () => leakyBucket({ per: '1d' } as never)],
    ]
    for (const [field, make] of incomplete) {
      expect(make).toThrow(expect.objectContaining({ name: 'PolicyError', field, value: undefined }))
    }
  })

  for (const { name, policy } of [...FIXED_WINDOWS, LOG, SLIDING, STRICT, ...BUCKETS]) {
    timelines(store, [
      {
        promise: `${name}: five a day are five, and not one`,
        policy: policy(5, 86_400_000),
        steps: [ok(0, { times: 5, remaining: 0 }), no(0)],
      },
    ])
  }
})
