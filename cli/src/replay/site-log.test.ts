import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SITE_LOG } from '../testing/fixture.ts'
import { runInMemory } from '../testing/memory-io.ts'
import { fixedWindow, type Reference, slidingLog, slidingWindow, tokenBucket } from '../testing/reference.ts'

interface Row {
  readonly options: string
  readonly reference: () => Reference
  /** Computed elsewhere, by other people; missing where only the reference here knows. */
  readonly known?: { readonly denied: number; readonly deniedKeys: number }
}

const ROWS: readonly Row[] = [
  {
    options: '--algorithm fixed-window --limit 20 --window 1m',
    reference: () => fixedWindow(20n, 60_000n),
    known: { denied: 931, deniedKeys: 50 },
  },
  {
    options: '--algorithm sliding-log --limit 10 --window 10s',
    reference: () => slidingLog(10n, 10_000n),
    known: { denied: 153, deniedKeys: 11 },
  },
  {
    options: '--algorithm token-bucket --capacity 20 --refill 20 --per 1m',
    reference: () => tokenBucket(20n, 20n, 60_000n),
    known: { denied: 240, deniedKeys: 6 },
  },
  {
    options: '--algorithm fixed-window --limit 20 --window 1m --align first',
    reference: () => fixedWindow(20n, 60_000n),
  },
  {
    options: '--algorithm fixed-window --limit 20 --window 1m --align epoch',
    reference: () => fixedWindow(20n, 60_000n, true),
  },
  { options: '--algorithm fixed-window --limit 5 --window 7s', reference: () => fixedWindow(5n, 7_000n) },
  { options: '--algorithm fixed-window --limit 0 --window 1s', reference: () => fixedWindow(0n, 1_000n) },
  {
    options: '--algorithm sliding-window --limit 20 --window 1m',
    reference: () => slidingWindow(20n, 60_000n),
  },
  {
    options: '--algorithm sliding-window --limit 20 --window 1m --strict',
    reference: () => slidingWindow(20n, 60_000n, true),
  },
  {
    options: '--algorithm sliding-window --limit 7 --window 13s',
    reference: () => slidingWindow(7n, 13_000n),
  },
  {
    options: '--algorithm sliding-window --limit 7 --window 13s --strict',
    reference: () => slidingWindow(7n, 13_000n, true),
  },
  { options: '--algorithm sliding-log --limit 20 --window 1m', reference: () => slidingLog(20n, 60_000n) },
  {
    options: '--algorithm token-bucket --capacity 3 --refill 0 --per 1s',
    reference: () => tokenBucket(3n, 0n, 1_000n),
  },
  {
    options: '--algorithm token-bucket --capacity 5 --refill 7 --per 11s',
    reference: () => tokenBucket(5n, 7n, 11_000n),
  },
  {
    options: '--algorithm gcra --rate 20 --per 1m --burst 5',
    reference: () => tokenBucket(5n, 20n, 60_000n),
  },
  { options: '--algorithm gcra --rate 3 --per 7s --burst 2', reference: () => tokenBucket(2n, 3n, 7_000n) },
  { options: '--algorithm leaky-bucket --rate 1 --per 3s', reference: () => tokenBucket(1n, 1n, 3_000n) },
]

describe('the site log', () => {
  it.each(ROWS)('is decided as the definition says: $options', async ({ options, reference, known }) => {
    const expected = expectedOf(reference)
    const { stdout, exitCode } = await runInMemory(['replay', SITE_LOG, ...options.split(' '), '--json'])
    const totals = JSON.parse(stdout)
    expect(exitCode).toBe(0)
    expect(totals).toMatchObject({ requests: 10_000, keys: 1_753, skippedLines: 0, late: 0 })
    expect(totals.admitted + totals.denied).toBe(10_000)
    expect({ denied: totals.denied, deniedKeys: totals.deniedKeys }).toEqual(expected.totals)
    if (known) expect(expected.totals).toEqual(known)
    expect(totals.worst.map((key: { denied: number }) => key.denied)).toEqual(expected.mostDenied)
    for (const { key, requests, denied } of totals.worst) {
      expect({ key, ...expected.keys.get(key) }).toMatchObject({ key, requests, denied })
    }
  })

  it('is out of order, so that the horizon is what makes these figures right', async () => {
    const options = '--algorithm fixed-window --limit 20 --window 1m --json'.split(' ')
    const unsorted = JSON.parse(
      (await runInMemory(['replay', SITE_LOG, ...options, '--horizon', '0s'])).stdout,
    )
    const sorted = JSON.parse(
      (await runInMemory(['replay', SITE_LOG, ...options, '--horizon', '59s'])).stdout,
    )
    expect(unsorted.late).toBeGreaterThan(1000)
    expect(sorted).toMatchObject({ late: 0, denied: 931 })
  })
})

/** Every line, read with a pattern and sorted whole. */
const requests = readFileSync(SITE_LOG, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line, order) => {
    const [, host = '', time = ''] = /^(\S+) \S+ \S+ \[([^\]]+)\]/.exec(line) ?? []
    const timeMs = Date.parse(time.replace(/^(..)\/(...)\/(....):/, '$1 $2 $3 '))
    return { host, timeMs, order }
  })
  .sort((a, b) => a.timeMs - b.timeMs || a.order - b.order)

function expectedOf(make: () => Reference) {
  const keys = new Map<string, { reference: Reference; requests: number; denied: number }>()
  let denied = 0
  for (const { host, timeMs } of requests) {
    const key = keys.get(host) ?? { reference: make(), requests: 0, denied: 0 }
    keys.set(host, key)
    key.requests++
    if (key.reference(BigInt(timeMs))) continue
    key.denied++
    denied++
  }
  const deniedKeys = [...keys.values()].filter((key) => key.denied > 0).length
  const mostDenied = [...keys.values()]
    .map((key) => key.denied)
    .filter((count) => count > 0)
    .sort((a, b) => b - a)
    .slice(0, 10)
  return { totals: { denied, deniedKeys }, keys, mostDenied }
}
