import type { GoldenTable } from '../table.ts'
import {
  fixedWindowTable,
  gcraTable,
  slidingLogTable,
  slidingWindowTable,
  tokenBucketTable,
} from './algorithms.ts'
import { composedTable } from './composed.ts'
import { debtTable } from './debt.ts'
import { dynamicLimitsTable } from './dynamic-limits.ts'
import { clockHazardsTable } from './hazards.ts'
import { mulDivCases } from './mul-div.ts'
import { manyRefundsTable, refundsTable } from './refunds.ts'

/** Every table of decisions, by the name of its file. */
export const TABLES: Readonly<Record<string, () => GoldenTable>> = {
  'fixed-window': fixedWindowTable,
  'sliding-window': slidingWindowTable,
  'sliding-log': slidingLogTable,
  'token-bucket': tokenBucketTable,
  gcra: gcraTable,
  composed: composedTable,
  'clock-hazards': clockHazardsTable,
  refunds: refundsTable,
  'many-refunds': manyRefundsTable,
  debt: debtTable,
  'dynamic-limits': dynamicLimitsTable,
}

/** Every golden file, as the oracle writes it: a step a line. */
export function goldenFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const [name, make] of Object.entries(TABLES)) files.set(`${name}.json`, textOf(make()))
  files.set('mul-div.json', `{\n  "cases": [\n${lines(mulDivCases())}\n  ]\n}\n`)
  return files
}

function textOf({ about, policies, steps }: GoldenTable): string {
  const named = Object.entries(policies).map(
    ([name, spec]) => `    ${JSON.stringify(name)}: ${JSON.stringify(spec)}`,
  )
  return `{\n  "about": ${JSON.stringify(about)},\n  "policies": {\n${named.join(',\n')}\n  },\n  "steps": [\n${lines(steps)}\n  ]\n}\n`
}

const lines = (all: readonly unknown[]): string => all.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
