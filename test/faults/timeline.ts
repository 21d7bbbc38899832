import type { Decision, Limiter, Policy, Store } from 'headgate'
import type { ManualClock } from 'headgate/testing'
import { expect, it } from 'vitest'
import { rig } from './rig.ts'
import type { StoreMaker } from './stores.ts'

/** What a step may say of its decision; what it leaves out is not looked at. */
export interface Numbers {
  readonly remaining?: number
  readonly limit?: number
  /** From the decision to the instant at which the same cost is admitted. */
  readonly retryAfterMs?: number
  /** From the decision to the instant at which the whole quota is back. */
  readonly resetAfterMs?: number
  readonly reason?: 'limit' | 'never'
}

interface Call {
  readonly cost?: number
  readonly key?: string
  readonly policy?: Policy
  /** Asks and charges nothing. */
  readonly peek?: true
  /** So many times, each with the same answer; `remaining` and the reset are then those of the last. */
  readonly times?: number
}

export interface Step extends Call, Numbers {
  /** Milliseconds after the start of the timeline. */
  readonly at: number
  readonly allowed: boolean
}

export interface Timeline {
  readonly promise: string
  readonly policy: Policy
  readonly steps: readonly Step[]
  /** Where it starts; by default at three instants that every usual window divides. */
  readonly starts?: readonly number[]
}

/** 1970, 2025 and 2106: midnights, so that aligned windows begin at a timeline's start. */
export const STARTS: readonly number[] = [0, 1_764_547_200_000, 4_320_000_000_000]

/** An allowed call. */
export const ok = (at: number, rest: Call & Numbers = {}): Step => ({ at, allowed: true, ...rest })
/** A denied call. */
export const no = (at: number, rest: Call & Numbers = {}): Step => ({ at, allowed: false, ...rest })

/** Whole microseconds: below them a double of 2025 has no exact decimals. */
const micros = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms * 1000) : ms)

/** The last instant before this one. */
export const justBefore = (ms: number): number => (micros(ms) - 1) / 1000

/** A test for each timeline, run from each of its starts. */
export function timelines(maker: StoreMaker, rows: readonly Timeline[]): void {
  for (const row of rows) {
    it(row.promise, async () => {
      for (const start of row.starts ?? STARTS) {
        const { clock, limiter } = await rig(maker, row.policy, start)
        await follow(limiter, clock, row.steps, start)
      }
    })
  }
}

/** Walks the steps on the clock and checks every decision. */
export async function follow(
  limiter: Limiter<Policy, Store>,
  clock: ManualClock,
  steps: readonly Step[],
  startMs = 0,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    clock.set(startMs + step.at)
    const where = `step ${index} at ${step.at} ms from ${startMs}`
    for (let time = 1; time <= (step.times ?? 1); time++) {
      await walk(limiter, clock, step, time === (step.times ?? 1), `${where}, call ${time}`)
    }
  }
}

async function walk(
  limiter: Limiter<Policy, Store>,
  clock: ManualClock,
  step: Step,
  last: boolean,
  where: string,
): Promise<void> {
  const { key = 'user', cost = 1, policy } = step
  const options = policy === undefined ? { cost } : { cost, policy }
  const decision = step.peek ? await limiter.peek(key, options) : await limiter.take(key, options)
  const wanted = last ? step : { ...step, remaining: undefined, resetAfterMs: undefined }
  expectDecision(decision, wanted, where)
  expectHonest(decision, cost, clock.nowMs(), where)
  // A denial took nothing, and saying it again changes nothing.
  if (!decision.allowed) expect(await limiter.peek(key, options), `${where}, asked again`).toEqual(decision)
}

type Wanted = { readonly allowed: boolean } & { readonly [N in keyof Numbers]?: Numbers[N] | undefined }

/** Checks what a decision was to say. */
export function expectDecision(decision: Decision, wanted: Wanted, where = ''): void {
  const told = {
    allowed: decision.allowed,
    remaining: decision.remaining,
    limit: decision.limit,
    retryAfterMs: retryAfterMicros(decision) / 1000,
    resetAfterMs: resetAfterMicros(decision) / 1000,
    reason: decision.allowed ? undefined : decision.reason,
  }
  const asked = Object.entries(wanted).filter(([name, value]) => name in told && value !== undefined)
  expect(told, where).toMatchObject(Object.fromEntries(asked))
}

export const resetAfterMicros = (decision: Decision): number =>
  micros(decision.resetAtMs) - micros(decision.decidedAtMs)

/** 0 where the call was allowed. */
export function retryAfterMicros(decision: Decision): number {
  return decision.allowed ? 0 : micros(decision.retryAfterMs)
}

/** What holds of every decision, whatever it says. */
function expectHonest(decision: Decision, cost: number, nowMs: number, where: string): void {
  const { remaining, limit, source } = decision
  const promises = {
    'whole units remain, from 0 to the limit':
      Number.isInteger(remaining) && remaining >= 0 && remaining <= limit,
    'it was decided now, by the store': micros(decision.decidedAtMs) === micros(nowMs) && source === 'store',
    'the reset is not past': resetAfterMicros(decision) >= 0,
    'a denial has not enough for its cost': decision.allowed || remaining < Math.max(1, cost),
    'a denial waits, until the instant it names':
      decision.allowed ||
      (retryAfterMicros(decision) > 0 &&
        micros(decision.retryAtMs) - micros(decision.decidedAtMs) === retryAfterMicros(decision)),
  }
  const broken = Object.entries(promises).filter(([, kept]) => !kept)
  expect(broken, `${where}: ${JSON.stringify(decision)}`).toEqual([])
}
