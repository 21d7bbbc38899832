import { isEnded } from '../model/oracle/cell.ts'
import {
  charge,
  EMPTY_WORLD,
  type ExpectedDecision,
  type Keys,
  microsOf,
  type PolicySpec,
  type PolicySpecs,
  peek,
  refund,
  reset,
  take,
  type World,
} from '../model/oracle/index.ts'
import { idOf } from '../model/oracle/world.ts'
import { finite, numbersOf } from './run-table.ts'
import type { Expected, GoldenTable, Step } from './table.ts'

interface Instead {
  readonly policies?: { readonly [policy: string]: PolicySpec }
}

/** Writes a table: makes the calls of a story on the oracle, and notes what it answers. */
export class Scribe {
  readonly #about: string
  readonly #policies: PolicySpecs
  readonly #steps: Step[] = []
  readonly #specs = new Map<string, PolicySpec>()
  readonly #ended = new Set<unknown>()
  #world: World = EMPTY_WORLD
  #nowMs: number

  constructor(about: string, policies: PolicySpecs, startMs: number) {
    this.#about = about
    this.#policies = policies
    this.#nowMs = startMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  at(ms: number): this {
    this.#nowMs = Number(microsOf(ms)) / 1000
    this.#markEnded()
    return this
  }

  after(ms: number): this {
    return this.at(this.#nowMs + ms)
  }

  take(keys: Keys, cost = 1, options: Instead & { readonly receipt?: string } = {}): ExpectedDecision {
    const { receipt, policies } = options
    const { world, answer } = take(this.#world, this.#asked(keys, policies), BigInt(cost), receipt)
    this.#world = world
    const named = receipt === undefined ? {} : { receipt }
    this.#note({ ...this.#on('take', keys, policies), cost, ...named, expect: expected(answer) })
    return answer
  }

  peek(keys: Keys, cost = 1, { policies }: Instead = {}): ExpectedDecision {
    const { world, answer } = peek(this.#world, this.#asked(keys, policies), BigInt(cost))
    this.#world = world
    this.#note({ ...this.#on('peek', keys, policies), cost, expect: expected(answer) })
    return answer
  }

  charge(keys: Keys, units: number, { policies }: Instead = {}): ExpectedDecision {
    const { world, answer } = charge(this.#world, this.#asked(keys, policies), BigInt(units))
    this.#world = world
    this.#note({ ...this.#on('charge', keys, policies), units, expect: expected(answer) })
    return answer
  }

  refund(receipt: string, units?: number): number {
    const micros = microsOf(this.#nowMs)
    for (const { id } of this.#world.receipts.get(receipt) ?? []) this.#mustNotBeOver(id)
    const { world, answer } = refund(
      this.#world,
      micros,
      receipt,
      units === undefined ? undefined : BigInt(units),
    )
    this.#world = world
    const some = units === undefined ? {} : { units }
    this.#note({ op: 'refund', atMs: this.#nowMs, receipt, ...some, expect: { returned: answer } })
    return answer
  }

  reset(keys: Keys, { policies }: Instead = {}): void {
    this.#world = reset(this.#world, this.#asked(keys, policies))
    this.#note(this.#on('reset', keys, policies))
  }

  table(): GoldenTable {
    return { about: this.#about, policies: this.#policies, steps: this.#steps }
  }

  #asked(keys: Keys, instead: Instead['policies'] = {}) {
    const policies = { ...this.#policies, ...instead }
    for (const [name, key] of Object.entries(keys)) {
      const spec = policies[name] as PolicySpec
      const id = idOf(name, spec, key)
      this.#specs.set(id, spec)
      this.#mustNotBeOver(id)
    }
    return { keys, policies, nowMicros: microsOf(this.#nowMs) }
  }

  #on<Op extends Step['op']>(op: Op, keys: Keys, policies: Instead['policies']) {
    return { op, atMs: this.#nowMs, keys, ...(policies ? { policies } : {}) }
  }

  #note(step: Step): void {
    this.#steps.push(step)
    this.#markEnded()
  }

  #markEnded(): void {
    for (const [id, cell] of this.#world.cells) {
      if (isEnded(this.#specs.get(id) as PolicySpec, cell, microsOf(this.#nowMs))) this.#ended.add(cell)
    }
  }

  /** A table must not go back into a state that was over: a store may have dropped it, or not. */
  #mustNotBeOver(id: string): void {
    const cell = this.#world.cells.get(id)
    if (!cell || !this.#ended.has(cell)) return
    if (isEnded(this.#specs.get(id) as PolicySpec, cell, microsOf(this.#nowMs))) return
    throw new Error(`"${this.#about}" goes back into the ended state of ${id} at ${this.#nowMs}`)
  }
}

function expected(answer: ExpectedDecision): Expected {
  const each = Object.entries(answer.each)
  return {
    allowed: answer.allowed,
    ...(answer.reason ? { reason: answer.reason } : {}),
    policy: answer.policy,
    ...numbersOf(answer),
    ...(answer.retryAtMs === undefined ? {} : { retryAtMs: finite(answer.retryAtMs) }),
    ...(each.length < 2
      ? {}
      : { each: Object.fromEntries(each.map(([name, numbers]) => [name, numbersOf(numbers)])) }),
  }
}
