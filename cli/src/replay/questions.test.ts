import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Child, SOURCES } from '../testing/child.ts'
import { SITE_LOG } from '../testing/fixture.ts'
import { DIALECTS, type LoggedRequest } from '../testing/log-dialects.ts'
import { runInMemory } from '../testing/memory-io.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-questions-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function replayed(options: string, log?: string) {
  const path = log === undefined ? SITE_LOG : '-'
  const ran = await runInMemory(
    ['replay', path, '--json', ...options.split(' ')],
    log === undefined ? [] : [Buffer.from(log)],
  )
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  return JSON.parse(ran.stdout)
}

function written(requests: readonly Partial<LoggedRequest>[]): string {
  const whole = { ip: '10.0.0.1', timeMs: 1_431_857_103_000, target: '/', status: 200 }
  return requests.map((request) => `${DIALECTS['Caddy']?.({ ...whole, ...request })}\n`).join('')
}

describe('--free', () => {
  const policy = '--algorithm sliding-log --limit 2 --window 1m'

  it('gives the unit of a free answer back, and wants room for it when it comes', async () => {
    const log = written([200, 304, 304, 404, 200, 304, 200].map((status) => ({ status })))
    expect(await replayed(`${policy} --free 304,404`, log)).toMatchObject({
      free: [304, 404],
      admitted: 5,
      givenBack: 3,
      denied: 2,
      askedPeak: { requests: 3 },
      peak: { requests: 2 },
    })
    expect(await replayed(policy, log)).toMatchObject({ free: [], admitted: 2, givenBack: 0, denied: 5 })
  })

  it('says how many were free', async () => {
    const { stdout } = await runInMemory(['replay', SITE_LOG, ...policy.split(' '), '--free', '304'])
    expect(stdout).toMatch(/\n {2}of them free +\d+ +\d+\.\d\d %\n/)
  })

  it.each(['', '304,', '4xx', '99', '1000'])('refuses %j', async (statuses) => {
    const ran = await runInMemory(['replay', SITE_LOG, ...policy.split(' '), '--free', statuses])
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^headgate: --free must be HTTP statuses with commas, .*\n$/)
  })
})

describe('--key', () => {
  const policy = '--algorithm fixed-window --limit 1 --window 1m'
  const log = written([
    { ip: '10.0.0.1', target: '/a?1' },
    { ip: '10.0.0.1', target: '/b' },
    { ip: '10.0.0.2', target: '/a?2' },
    { ip: '10.0.0.2', target: '/a' },
  ])

  it.each([
    ['ip', 2, 2],
    ['path', 2, 2],
    ['ip+path', 3, 1],
    ['request.host', 1, 3],
    ['request.client_ip', 2, 2],
  ])('%s makes %d keys, and %d denials', async (key, keys, denied) => {
    expect(await replayed(`${policy} --key ${key}`, log)).toMatchObject({
      key,
      keys,
      denied,
      skippedLines: 0,
    })
  })

  it('skips lines without it, and says so where that is all of them', async () => {
    const mixed = `${log}{"ts":1431857103,"request":{"host":"b"},"status":200}\n`
    expect(await replayed(`${policy} --key path`, mixed)).toMatchObject({ requests: 4, skippedLines: 1 })
    const ran = await runInMemory(['replay', SITE_LOG, ...policy.split(' '), '--key', 'user'])
    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toMatch(
      /: no line of .* is a request in JSON with the field user; line 1 is: 10\.0\.0\.1 .*\n$/,
    )
  })
})

describe('--compare', () => {
  it('is what five replays say, in one', async () => {
    const { compared, overTime, requests } = await replayed(
      '--algorithm token-bucket --capacity 7 --refill 30 --per 1m --compare --free 304',
    )
    const rows = [
      '--algorithm fixed-window --limit 30 --window 1m',
      '--algorithm sliding-window --limit 30 --window 1m',
      '--algorithm sliding-log --limit 30 --window 1m',
      '--algorithm token-bucket --capacity 7 --refill 30 --per 1m',
      '--algorithm gcra --rate 30 --per 1m --burst 3',
    ]
    for (const [i, row] of rows.entries()) {
      const alone = await replayed(`${row} --free 304`)
      const { policy, admitted, givenBack, denied, deniedKeys, peak, worst } = alone
      expect(compared[i]).toMatchObject({ admitted, givenBack, denied, deniedKeys, peak, worst })
      expect(compared[i].policy).toMatchObject({ algorithm: policy.algorithm, limit: policy.limit })
      expect(overTime.denied[i]).toEqual(alone.overTime.denied)
    }
    expect(compared).toHaveLength(5)
    expect(overTime.requests.reduce((sum: number, count: number) => sum + count)).toBe(requests)
  })

  it('keeps the policy that was named as it is, in its place', async () => {
    const { compared } = await replayed('--algorithm leaky-bucket --rate 30 --per 1m --compare')
    expect(compared.map(({ policy }: { policy: { algorithm: string } }) => policy.algorithm)).toEqual([
      'fixed-window',
      'sliding-window',
      'sliding-log',
      'token-bucket',
      'leaky-bucket',
    ])
  })

  it.each([
    ['--algorithm gcra --rate 0 --per 1s --burst 1 --compare', /--compare needs a rate above 0/],
    [
      '--algorithm fixed-window --limit 2000000 --window 1s --compare',
      /--compare can't run all five at 2,000,000 per 1s: .* limit must be a whole number from 0 to 1000000/,
    ],
    ['--algorithm fixed-window --limit 2 --window 1s --compare --suggest 1%', /are two questions/],
  ])('refuses %s', async (options, sentence) => {
    const ran = await runInMemory(['replay', SITE_LOG, ...options.split(' ')])
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
  })
})

describe('--config', () => {
  const config = `
policies:
  plain: { algorithm: fixed-window, limit: 20, window: 1m, align: epoch }
limiters:
  api: { policies: { ip: { algorithm: token-bucket, capacity: 20, refill: 20, per: 1m } } }
`
  const named = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  it('takes the policies of the service, by name', async () => {
    const file = named('two.yaml', config)
    expect(await replayed(`--config ${file} --policy api/ip`)).toMatchObject({ denied: 240 })
    const options = '--algorithm fixed-window --limit 20 --window 1m --align epoch'
    expect(await replayed(`--config ${file} --policy plain`)).toEqual(await replayed(options))
    expect((await replayed(`--config ${file} --policy plain --compare`)).compared).toEqual(
      (await replayed(`${options} --compare`)).compared,
    )
    expect((await replayed(`--config ${file} --policy plain --suggest 1%`)).suggested).toEqual(
      (await replayed(`${options} --suggest 1%`)).suggested,
    )
  })

  it('needs no name where there is one policy', async () => {
    const file = named('one.yaml', config.slice(0, config.indexOf('limiters')))
    expect(await replayed(`--config ${file}`)).toMatchObject({ policy: { limit: 20, align: 'epoch' } })
  })

  it.each([
    ['', 2, /has several policies; --policy names one: plain, api\/ip\.\n$/],
    ['--policy api', 2, /--policy api is not in .*, which has plain, api\/ip\.\n$/],
    ['--policy plain --limit 5', 2, /--limit does not go with --config: the file says it all\.\n$/],
    ['--policy plain --algorithm gcra', 2, /--algorithm does not go with --config/],
  ])('refuses "%s" in a sentence', async (options, exitCode, sentence) => {
    const file = named('more.yaml', config)
    const ran = await runInMemory([
      'replay',
      SITE_LOG,
      '--config',
      file,
      ...options.split(' ').filter(Boolean),
    ])
    expect(ran).toMatchObject({ exitCode, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
  })

  it('says where a file is wrong', async () => {
    const file = named('bad.yaml', 'policies:\n  a: { algorithm: fixed-window, limit: -1, window: 1m }\n')
    const ran = await runInMemory(['replay', SITE_LOG, '--config', file])
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toContain('bad.yaml:2:40: policies.a.limit must be a whole number')
  })
})

describe('--suggest', () => {
  it.each([
    ['--algorithm leaky-bucket --rate 1 --per 1s --suggest 1%', /a leaky-bucket has none: take gcra/],
    ['--algorithm fixed-window --window 1m --suggest 1', /--suggest must be a share from 0 to below 1/],
    ['--algorithm fixed-window --window 1m --suggest 100%', /--suggest must be a share/],
    ['--algorithm fixed-window --window 1m --suggest -0.1', /--suggest must be a share/],
    ['--algorithm fixed-window --window 1m --suggest few', /--suggest must be a share .*; it is "few"/],
    ['--algorithm fixed-window --window 1m --suggest 1% --of people', /--of must be requests or keys/],
    ['--algorithm fixed-window --window 1m', /--limit is missing/],
    ['--algorithm fixed-window --limit 1 --suggest 1%', /--window is missing/],
    ['--algorithm fixed-window --limit 1 --window 1m --policy a', /name the file with --config/],
  ])('or the lack of it refuses %s', async (options, sentence) => {
    const ran = await runInMemory(['replay', SITE_LOG, ...options.split(' ')])
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
  })

  it('tells a person what is least, what one less does, and what was given', async () => {
    const options = '--algorithm sliding-window --limit 20 --window 1m --suggest 1%'
    const { stdout } = await runInMemory(['replay', SITE_LOG, ...options.split(' ')])
    expect(stdout).toMatch(/\n--limit 57 is the least that denies at most 1\.00 % of the requests:\n/)
    expect(stdout).toContain('  a limit of 56 denies 102 of 10,000 requests, 1.02 %\n')
    expect(stdout).toContain('  a limit of 20 denies 931 of 10,000 requests, 9.31 %, as given\n')
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves nothing on the disk when it is ended by %s',
    async (signal) => {
      const options = '--algorithm sliding-window --window 1m --suggest 1%'
      const child = new Child(SOURCES, ['replay', '-', ...options.split(' ')], { TMPDIR: folder })
      try {
        await child.feed(written(Array.from({ length: 40_000 }, () => ({}))))
        expect(readdirSync(folder).filter((name) => name.startsWith('headgate-replay'))).toEqual([])
        child.signal(signal)
        expect((await child.ended).signal).toBe(signal)
        expect(readdirSync(folder).filter((name) => name.startsWith('headgate-replay'))).toEqual([])
      } finally {
        child.kill()
      }
    },
  )

  it('says in a sentence that it has no room for a temporary file', async () => {
    const options = '--algorithm sliding-window --window 1m --suggest 1%'
    const none = join(folder, 'none')
    vi.stubEnv('TMPDIR', none)
    const { exitCode, stdout, stderr } = await runInMemory(['replay', SITE_LOG, ...options.split(' ')])
    vi.unstubAllEnvs()
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe(
      `headgate: can't keep the requests in a temporary file under ${none}: there is no such file; TMPDIR names another folder.\n`,
    )
  })
})
