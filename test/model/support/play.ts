import type { Decision } from 'headgate'
import {
  DAYS_366_MICROS,
  HORIZON_MICROS,
  type Keys,
  limitOf,
  microsOf,
  type PolicySpec,
  type PolicySpecs,
  reported,
  withLimit,
} from '../oracle/index.ts'
import type { CostIntent, Move, Step } from './random-steps.ts'
import { memorySubject, type Subject } from './subject.ts'

interface Told {
  readonly nowMicros: bigint
  readonly keys: Keys
  /** The policies in force for this call, the applied ones and the others. */
  readonly policies: PolicySpecs
}

export interface Asking extends Told {
  readonly kind: 'take' | 'peek'
  readonly cost: number
  readonly decision: Decision
  /** The number of the receipt that came with it. */
  readonly receipt: string | undefined
}
export interface Charging extends Told {
  readonly kind: 'charge'
  readonly units: number
  readonly decision: Decision
}
export interface Refunding extends Told {
  readonly kind: 'refund'
  readonly receipt: string
  readonly units: number | undefined
  readonly returned: number
  /** The take that this receipt came with. */
  readonly charged: Asking
}
export interface Resetting extends Told {
  readonly kind: 'reset'
}
export type Event = Asking | Charging | Refunding | Resetting

export interface Trace {
  readonly policies: PolicySpecs
  readonly startMicros: bigint
  readonly steps: readonly Step[]
}

type RefundAct = Extract<Step['act'], { do: 'refund' }>

const LAST_MICROS = HORIZON_MICROS - 1n
const MOST_UNITS = 1_000_000_000

/** How far a move of one window goes: the window, or the time that a bucket takes to fill. */
export function stretchMicros(spec: PolicySpec): bigint {
  if ('windowMs' in spec) return microsOf(spec.windowMs)
  const refill = BigInt(spec.algorithm === 'token-bucket' ? spec.refill : spec.rate)
  if (refill === 0n) return DAYS_366_MICROS
  return (BigInt(limitOf(spec)) * microsOf(spec.perMs)) / refill
}

/** Plays a trace: turns its intents into calls and tells each call, with its answer, as an event. */
export async function play(
  subject: Subject,
  trace: Trace,
  onEvent: (event: Event) => void | Promise<void>,
): Promise<void> {
  const player = new Player(subject, trace)
  for (const step of trace.steps) await onEvent(await player.play(step))
  await subject.close()
}

/** Plays a trace on the library in memory, to its end. */
export async function played(trace: Trace): Promise<Event[]> {
  const events: Event[] = []
  await play(memorySubject(trace.policies), trace, (event) => {
    events.push(event)
  })
  return events
}

class Player {
  readonly #subject: Subject
  readonly #policies: PolicySpecs
  readonly #names: readonly string[]
  readonly #tried = new Set<string>()
  readonly #receipts: { readonly text: string; readonly name: string; readonly charged: Asking }[] = []
  #now: bigint
  #lastCharge: bigint
  #last: Decision | undefined
  #lastDenial: Decision | undefined

  constructor(subject: Subject, { policies, startMicros }: Trace) {
    this.#subject = subject
    this.#policies = policies
    this.#names = Object.keys(policies)
    this.#now = startMicros
    this.#lastCharge = startMicros
  }

  async play(step: Step): Promise<Event> {
    await this.#moveTo(this.#target(step.move, this.#specBy(step.by)))
    const told = this.#told(step)
    const options = step.plan === 0 ? {} : { policies: told.policies }
    const { act } = step
    switch (act.do) {
      case 'reset':
        await this.#subject.reset(told.keys, options)
        return { ...told, kind: 'reset' }
      case 'refund':
        return this.#refund(told, act)
      case 'charge': {
        const units = Math.min(this.#cost(act.cost, told), MOST_UNITS)
        const decision = await this.#subject.charge(told.keys, units, options)
        this.#noted(decision, units > 0)
        return { ...told, kind: 'charge', units, decision }
      }
      default: {
        const cost = this.#cost(act.cost, told)
        const call = { ...options, cost }
        if (act.do === 'peek') {
          const decision = await this.#subject.peek(told.keys, call)
          return this.#asked({ ...told, kind: 'peek', cost, decision, receipt: undefined }, undefined)
        }
        const { decision, receipt } =
          act.do === 'take'
            ? { decision: await this.#subject.take(told.keys, call), receipt: undefined }
            : await this.#subject.reserve(told.keys, call)
        const name = receipt === undefined || cost === 0 ? undefined : `r${this.#receipts.length}`
        return this.#asked({ ...told, kind: 'take', cost, decision, receipt: name }, receipt)
      }
    }
  }

  #asked(asking: Asking, text: string | undefined): Asking {
    this.#noted(asking.decision, asking.kind === 'take' && asking.cost > 0 && asking.decision.allowed)
    if (text !== undefined && asking.receipt !== undefined) {
      this.#receipts.push({ text, name: asking.receipt, charged: asking })
    }
    return asking
  }

  async #refund(told: Told, { which, again, eighths }: RefundAct): Promise<Event> {
    const chosen = again ? this.#receipts : this.#receipts.filter(({ name }) => !this.#tried.has(name))
    const receipt = chosen[chosen.length - 1 - which]
    if (!receipt) {
      const decision = await this.#subject.peek(told.keys)
      return this.#asked(
        { ...told, policies: this.#policies, kind: 'peek', cost: 1, decision, receipt: undefined },
        undefined,
      )
    }
    this.#tried.add(receipt.name)
    const units = eighths === null ? undefined : Math.floor((receipt.charged.cost * eighths) / 8)
    const returned = await this.#subject.refund(receipt.text, units)
    return { ...told, kind: 'refund', receipt: receipt.name, units, returned, charged: receipt.charged }
  }

  #noted(decision: Decision, charged: boolean): void {
    this.#last = decision
    if (!decision.allowed) this.#lastDenial = decision
    if (charged) this.#lastCharge = this.#now
  }

  #specBy(by: number): PolicySpec {
    return this.#policies[this.#names[by % this.#names.length] ?? ''] as PolicySpec
  }

  async #moveTo(target: bigint): Promise<void> {
    this.#now = target < 0n ? 0n : target > LAST_MICROS ? LAST_MICROS : target
    await this.#subject.setMs(reported(this.#now))
  }

  #target(move: Move, spec: PolicySpec): bigint {
    const stretch = stretchMicros(spec)
    switch (move.to) {
      case 'stay':
        return this.#now
      case 'micros':
        return this.#now + BigInt(move.by)
      case 'retry':
        return this.#ahead(
          this.#lastDenial && 'retryAtMs' in this.#lastDenial ? this.#lastDenial.retryAtMs : 0,
          move.nudge,
        )
      case 'reset':
        return this.#ahead(this.#last?.resetAtMs ?? 0, move.nudge)
      case 'edge': {
        const edge = stretch === 0n ? this.#now : (this.#now / stretch + BigInt(move.windows)) * stretch
        return this.#ahead(Number(edge) / 1000, move.nudge)
      }
      case 'ahead':
        return this.#ahead(Number(this.#now + (stretch * BigInt(move.sixteenths)) / 16n) / 1000, move.nudge)
      case 'back':
        return this.#now - (stretch * BigInt(move.sixteenths)) / 16n + BigInt(move.nudge)
      case 'before-charge':
        return this.#lastCharge - stretch * BigInt(move.spans) + BigInt(move.nudge)
    }
  }

  /** An instant named by a decision; one that is past, or never comes, moves nothing. */
  #ahead(atMs: number, nudge: number): bigint {
    if (!Number.isFinite(atMs)) return this.#now
    const at = microsOf(atMs) + BigInt(nudge)
    return at > this.#now ? at : this.#now
  }

  #told(step: Step): Told {
    const bit = (bits: number, index: number): number => (bits >> index) & 1
    const applied = this.#names.filter((_, index) => bit(step.absentBits, index) === 0)
    const named = applied.length > 0 ? applied : this.#names
    const keys = Object.fromEntries(
      named.map((name) => [name, `k${bit(step.keyBits, this.#names.indexOf(name))}`]),
    )
    const policies =
      step.plan === 0
        ? this.#policies
        : Object.fromEntries(
            Object.entries(this.#policies).map(([name, spec]) => [name, planned(spec, step.plan)]),
          )
    return { nowMicros: this.#now, keys, policies }
  }

  #cost(cost: CostIntent, told: Told): number {
    const limits = Object.keys(told.keys).map((name) => limitOf(told.policies[name] as PolicySpec))
    const limit = Math.min(...limits)
    switch (cost.of) {
      case 'units':
        return cost.units
      case 'share':
        return Math.floor((limit * cost.eighths) / 8)
      case 'limit':
        return Math.max(0, limit + cost.more)
      case 'remaining':
        return Math.max(0, (this.#last?.remaining ?? limit) + cost.more)
    }
  }
}

function planned(spec: PolicySpec, plan: number): PolicySpec {
  const limit = limitOf(spec)
  const most = spec.algorithm === 'sliding-log' ? 1_000_000 : MOST_UNITS
  const other = [limit, limit * 2, Math.floor(limit / 2), limit + 1, 0][plan] ?? limit
  return withLimit(spec, Math.min(other, most))
}
