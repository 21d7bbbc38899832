import fc from 'fast-check'
import { expect } from 'vitest'

/** How often each property is tried: `HEADGATE_RUNS`, 1,000 by default. */
const RUNS = wholeNumber('HEADGATE_RUNS') ?? 1_000

function wholeNumber(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new Error(`${name} must be a whole number; it is ${JSON.stringify(text)}`)
  return value
}

function settings(): fc.Parameters<[unknown]> {
  const seed = wholeNumber('HEADGATE_SEED')
  const path = process.env['HEADGATE_PATH']
  return { numRuns: RUNS, ...(seed === undefined ? {} : { seed }), ...(path ? { path } : {}) }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The one command that runs the failing case again, and nothing else. */
function replay(seed: number, path: string | null): string {
  const { testPath, currentTestName } = expect.getState()
  const file = testPath?.slice(testPath.lastIndexOf('test/model/')) ?? ''
  const title = currentTestName?.split(' > ').join(' ') ?? ''
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return `HEADGATE_SEED=${seed} HEADGATE_PATH=${path ?? ''} npx vitest run ${file} -t ${quoted(pattern)}`
}

/** Tries a law on random cases. A failure says which case, the seed, the path, and the command that replays it. */
export async function holds<T>(cases: fc.Arbitrary<T>, law: (value: T) => Promise<void>): Promise<void> {
  const property = fc.asyncProperty(cases as fc.Arbitrary<unknown>, (value) => law(value as T))
  const details = await fc.check(property, settings())
  if (!details.failed) return
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : 'the law was broken'
  const report = await fc.asyncDefaultReportMessage(details)
  throw new Error(`${reason}\n\n${report}\n\nReplay: ${replay(details.seed, details.counterexamplePath)}\n`)
}
