import { describe, expect, it } from 'vitest'
import { SITE_LOG } from '../testing/fixture.ts'
import { DIALECTS, type LoggedRequest } from '../testing/log-dialects.ts'
import { runInMemory } from '../testing/memory-io.ts'
import { replayHint, seededRandom, seedForRun } from '../testing/random.ts'

/** An algorithm without the number that is sought, and that number's option. */
const ALGORITHMS = [
  ['--algorithm fixed-window --window 1m', '--limit'],
  ['--algorithm fixed-window --window 1m --align epoch', '--limit'],
  ['--algorithm sliding-window --window 1m', '--limit'],
  ['--algorithm sliding-window --window 1m --strict', '--limit'],
  ['--algorithm sliding-log --window 1m', '--limit'],
  ['--algorithm token-bucket --refill 3 --per 1m', '--capacity'],
  ['--algorithm gcra --rate 10 --per 1m', '--burst'],
] as const

async function replayed(path: string, options: string, log = '') {
  const args = ['replay', path, '--json', ...options.split(' ')]
  const { stdout, stderr } = await runInMemory(args, [Buffer.from(log)])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('the site log', () => {
  it.each(ALGORITHMS)(
    'keeps within 1 %% of the requests, and with one less does not: %s',
    async (options, field) => {
      const found = await replayed(SITE_LOG, `${options} --suggest 0.01`)
      const { limit, below } = found.suggested
      const at = await replayed(SITE_LOG, `${options} ${field} ${limit}`)
      const less = await replayed(SITE_LOG, `${options} ${field} ${limit - 1}`)
      expect(at.denied / at.requests).toBeLessThanOrEqual(0.01)
      expect(less.denied / less.requests).toBeGreaterThan(0.01)
      expect(found).toEqual({ ...at, suggested: found.suggested })
      expect(below).toEqual({ limit: limit - 1, denied: less.denied, deniedKeys: less.deniedKeys })
    },
  )

  it.each(ALGORITHMS)(
    'keeps within 1 %% of the keys, and with one less does not: %s',
    async (options, field) => {
      const { suggested } = await replayed(SITE_LOG, `${options} --suggest 1% --of keys --free 304`)
      const [at, less] = await Promise.all(
        [0, 1].map((one) => replayed(SITE_LOG, `${options} --free 304 ${field} ${suggested.limit - one}`)),
      )
      expect(at.deniedKeys / at.keys).toBeLessThanOrEqual(0.01)
      expect(less.deniedKeys / less.keys).toBeGreaterThan(0.01)
    },
  )

  it('is denied nothing by the limit for 0 %', async () => {
    const found = await replayed(SITE_LOG, '--algorithm sliding-log --window 1m --suggest 0')
    expect(found).toMatchObject({ denied: 0, suggested: { limit: found.askedPeak.requests } })
    expect(found.suggested.below.denied).toBe(1)
  })
})

function written(requests: readonly LoggedRequest[]): string {
  return requests.map((request) => `${DIALECTS['pino-http']?.(request)}\n`).join('')
}

/** The least limit that keeps the share, by trying all from 0 on. */
async function leastOf(log: string, options: string, field: string, share: number, of: 'requests' | 'keys') {
  for (let limit = 0; ; limit++) {
    const totals = await replayed('-', `${options} ${field} ${limit}`, log)
    const denied = of === 'keys' ? totals.deniedKeys / totals.keys : totals.denied / totals.requests
    if (denied <= share) return limit
  }
}

describe('any log', () => {
  it.each(ALGORITHMS)('gets the limit that trying all of them finds: %s', async (options, field) => {
    const seed = seedForRun()
    const random = seededRandom(seed)
    const below = (n: number): number => Math.floor(random() * n)
    for (let round = 0; round < 12; round++) {
      const requests = Array.from({ length: 10 + below(60) }, () => ({
        ip: `10.0.0.${below(3)}`,
        timeMs: 1_431_857_100_000 + below(20) * 10_000 + below(2),
        target: '/',
        status: [200, 200, 304][below(3)] ?? 200,
      }))
      const log = written(requests)
      const share = [0, 0.05, 0.2, 0.5][below(4)] ?? 0
      const of = below(4) === 0 ? 'keys' : 'requests'
      const asked = `${options} --horizon 1h${below(2) === 0 ? ' --free 304' : ''}`
      const { suggested } = await replayed('-', `${asked} --suggest ${share} --of ${of}`, log)
      const expected = await leastOf(log, asked, field, share, of)
      expect(suggested.limit, replayHint(seed)).toBe(expected)
    }
  })

  /** Denied with a capacity of 0, 1, 2, …: 24, 19, 7, 5, 13, 12, 11, 0. Doubling and bisecting would find 7. */
  it('is not led astray where a higher limit denies more of the free requests', async () => {
    const seconds = [2, 7, 7, 10, 10, 19, 19, 21, 21, 22, 23, 25, ...Array(10).fill(26), 27, 28]
    const log = written(
      seconds.map((second) => ({
        ip: '10.0.0.1',
        timeMs: 1_431_857_100_000 + second * 1000,
        target: '/',
        status: second === 26 ? 304 : 200,
      })),
    )
    const options = '--algorithm token-bucket --refill 3 --per 10s --free 304'
    const denied = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map(
        async (capacity) => (await replayed('-', `${options} --capacity ${capacity}`, log)).denied,
      ),
    )
    expect(denied).toEqual([24, 19, 7, 5, 13, 12, 11, 0])
    const { suggested } = await replayed('-', `${options} --suggest ${(5.5 / 24).toFixed(4)}`, log)
    expect(suggested.limit).toBe(3)
  })
})
