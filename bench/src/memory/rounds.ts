import { resultOf, startProgram } from '../child.ts'
import type { Measured, Task } from './measure.ts'

const PROGRAM = new URL('./measure-program.ts', import.meta.url)

export interface Plan {
  readonly contenders: readonly string[]
  readonly keys: number
  readonly rounds: number
  readonly chunk: number
  readonly chunks: number
}

/** Of each contender, what it came to in each round. */
export type Rounds = ReadonlyMap<string, readonly Measured[]>

/**
 * All contenders in turn, in each round starting with another: what else the machine does falls on all alike. Each measurement has a
 * process of its own, so that no contender runs code that was compiled for another's shapes, or collects another's garbage.
 */
export async function runRounds(plan: Plan, tell: (line: string) => void = () => {}): Promise<Rounds> {
  const results = new Map<string, Measured[]>(plan.contenders.map((name) => [name, []]))
  for (let round = 0; round < plan.rounds; round++) {
    tell(`round ${round + 1} of ${plan.rounds} at ${plan.keys} keys …`)
    for (const contender of rotated(plan.contenders, round)) {
      results.get(contender)?.push(await measureApart({ ...plan, contender }))
    }
  }
  return results
}

function rotated<T>(items: readonly T[], by: number): T[] {
  return items.map((_, i) => items[(i + by) % items.length] as T)
}

function measureApart({ contender, keys, chunk, chunks }: Task): Promise<Measured> {
  const task: Task = { contender, keys, chunk, chunks }
  return resultOf(startProgram(PROGRAM, [JSON.stringify(task)], ['--expose-gc']))
}
