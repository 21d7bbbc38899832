import { format } from 'node:util'
import * as headgate from 'headgate'
import * as testing from 'headgate/testing'
import { instrument, type Telling } from './instrument.ts'
import type { Program } from './programs.ts'

/** What a run of a program came to. */
export interface Run {
  readonly tellings: readonly { readonly telling: Telling; readonly result: unknown }[]
  /** What each block printed, and the errors that it said it throws. */
  readonly printed: readonly string[]
}

const MODULES: Readonly<Record<string, unknown>> = { headgate, 'headgate/testing': testing }

/** The function that `docs` and `console` are given to. */
const AsyncFunction = (async () => {}).constructor as new (
  ...parameters: string[]
) => (docs: Reporter, console: Pick<Console, 'log'>) => Promise<void>

/** Collects what an instrumented program reports. */
class Reporter {
  readonly results = new Map<number, unknown>()
  readonly printed: string[][] = []

  block(index: number): void {
    this.printed[index] = []
  }

  async load(name: string): Promise<unknown> {
    return MODULES[name] ?? import(/* @vite-ignore */ name)
  }

  value(index: number, value: unknown): void {
    this.results.set(index, value)
  }

  async throws(index: number, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.results.set(index, error)
      this.print(String(error))
    }
  }

  print(...values: unknown[]): void {
    this.printed.at(-1)?.push(format(...values))
  }
}

export async function run(program: Program): Promise<Run> {
  const { code, tellings } = instrument(program)
  const reporter = new Reporter()
  const main = new AsyncFunction('docs', 'console', code)
  try {
    await main(reporter, { log: (...values: unknown[]) => reporter.print(...values) })
  } catch (error) {
    const line = program.blocks[reporter.printed.length - 1]?.first
    throw new Error(`${program.name}: the block in line ${line} threw ${error}`, { cause: error })
  }
  return {
    tellings: tellings.map((telling, i) => ({ telling, result: reporter.results.get(i) })),
    printed: reporter.printed.map((lines) => lines.join('\n')),
  }
}
