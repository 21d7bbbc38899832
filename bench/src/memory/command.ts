import { parseArgs } from 'node:util'
import { resultOf, startProgram } from '../child.ts'
import { describeMachine, thisMachine, versionOf } from '../machine.ts'
import { namesOf, type Said, wholeNumbers } from '../options.ts'
import { grouped, rounded } from '../table.ts'
import { contenders } from './contenders.ts'
import type { Flooded, FloodTask } from './flood.ts'
import { reportOf } from './report.ts'
import { runRounds } from './rounds.ts'
import { type Row, rowsOf } from './rows.ts'

const FLOOD = new URL('./flood-program.ts', import.meta.url)

const HELP = `Usage: npm run bench -- memory [options]

Headgate's takeSync with its full decision, each algorithm, beside the calls of other limiters' memory stores:
ns a decision, admitted and denied, bytes a key, and what a flood of new keys does to a full store.

  --keys N[,N]      how many keys are held; default 10000,1000000
  --rounds N        how often each is measured, in turn with the others; default 3
  --only NAME[,…]   of the contenders, those whose name has NAME in it
  --no-flood        without the flood of 10,000,000 new keys
  --json FILE       the rows, as JSON
  --quick           few keys, one round: to see that it works, not how fast
  --help            this text`

export async function memoryCommand(args: readonly string[]): Promise<Said> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      keys: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string', default: '' },
      'no-flood': { type: 'boolean', default: false },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { text: HELP }
  const { quick } = values
  const counts = wholeNumbers('keys', values.keys ?? (quick ? '5000' : '10000,1000000'), 1, 16_000_000)
  const [rounds = 1] = wholeNumbers('rounds', values.rounds ?? (quick ? '1' : '3'), 1, 1000)
  const chosen = namesOf('only', values.only, contenders)
  const machine = thisMachine()
  const versions = Object.fromEntries(chosen.map(({ packageName }) => [packageName, versionOf(packageName)]))
  console.log(describeMachine(machine))
  console.log(
    Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', '),
  )

  const rows: Row[] = []
  for (const keys of counts) {
    const plan = {
      contenders: chosen.map(({ name }) => name),
      keys,
      rounds,
      chunk: quick ? 1_000 : 200_000,
      chunks: quick ? 3 : 5,
    }
    rows.push(...rowsOf(chosen, keys, await runRounds(plan, (line) => console.error(line))))
  }
  const sizes = quick
    ? { maxKeys: 1_000, newKeys: 3_000, denials: 10 }
    : { maxKeys: 1_000_000, newKeys: 10_000_000, denials: 1_000 }
  const flood = values['no-flood'] ? undefined : await floodApart(sizes)
  const text = [reportOf(rows), flood ? floodReport(sizes, flood) : ''].filter(Boolean).join('\n\n')
  return {
    text: `\n${text}`,
    file: values.json,
    results: { machine, versions, rows, flood: flood && { ...sizes, ...flood } },
  }
}

function floodApart(task: FloodTask): Promise<Flooded> {
  console.error(`a flood of ${grouped(task.newKeys)} new keys …`)
  return resultOf(startProgram(FLOOD, [JSON.stringify(task)], ['--expose-gc']))
}

function floodReport(task: FloodTask, flood: Flooded): string {
  const mib = (bytes: number): string => `${rounded(bytes / 2 ** 20)} MiB`
  return [
    `a flood of ${grouped(task.newKeys)} new keys on a store of at most ${grouped(task.maxKeys)}`,
    `  held ${grouped(flood.keysHeld)} states; admitted ${grouped(flood.admitted)}, refused ${grouped(flood.refused)} as saturated, ${grouped(flood.nsPerRefusal)} ns each`,
    `  kept ${grouped(flood.denialsKept)} of ${grouped(task.denials)} live denials; said so ${grouped(flood.events)} times, at most once a second`,
    `  retained ${mib(flood.bytesWhenFull)} when full, ${mib(flood.bytesAfter)} after; the process had ${mib(flood.peakRssBytes)} at most`,
  ].join('\n')
}
