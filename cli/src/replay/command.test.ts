import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SITE_LOG } from '../testing/fixture.ts'
import { type Ran, runInMemory } from '../testing/memory-io.ts'

const POLICY = ['--algorithm', 'fixed-window', '--limit', '2', '--window', '1m']
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-replay-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

function line(host: string, time = '17/May/2015:10:05:03 +0000'): string {
  return `${host} - - [${time}] "GET / HTTP/1.1" 200 1\n`
}

function replayText(text: string | Buffer, ...options: string[]): Promise<Ran> {
  return runInMemory(['replay', '-', ...POLICY, ...options], [Buffer.from(text)])
}

async function replayJson(text: string | Buffer, ...options: string[]) {
  return JSON.parse((await replayText(text, '--json', ...options)).stdout)
}

/** One sentence for a person, on stderr alone: no stack, no second line. */
function expectSentence(ran: Ran, exitCode: number, sentence: RegExp): void {
  expect(ran.stderr).toMatch(sentence)
  expect(ran.stderr).toMatch(/^headgate: [^\n]+\n$/)
  expect(ran.stdout).toBe('')
  expect(ran.exitCode).toBe(exitCode)
}

describe('what it counts', () => {
  it('counts requests, keys and lines that are none', async () => {
    const log = `nonsense\n${line('a').repeat(3)}\n \n${line('b')}more nonsense\n`
    const totals = await replayJson(log)
    expect(totals).toMatchObject({
      requests: 4,
      admitted: 3,
      denied: 1,
      keys: 2,
      deniedKeys: 1,
      skippedLines: 2,
      late: 0,
    })
    expect(totals.firstSkipped).toEqual({ line: 1, text: 'nonsense' })
    expect(totals.worst).toEqual([
      { key: 'a', requests: 3, denied: 1, firstDeniedAtMs: 1431857103000, lastDeniedAtMs: 1431857103000 },
    ])
  })

  it('decides requests in the order of time, not of the file', async () => {
    const log = line('a', '17/May/2015:10:06:10 +0000') + line('a', '17/May/2015:10:05:00 +0000').repeat(3)
    expect(await replayJson(log)).toMatchObject({
      denied: 1,
      late: 0,
      lastAtMs: Date.UTC(2015, 4, 17, 10, 6, 10),
    })
  })

  it('counts as late what comes from beyond the horizon', async () => {
    const log =
      line('a', '17/May/2015:10:00:00 +0000') +
      line('b', '17/May/2015:11:00:00 +0000') +
      line('a', '17/May/2015:09:00:00 +0000')
    expect(await replayJson(log)).toMatchObject({
      requests: 3,
      late: 1,
      firstAtMs: Date.UTC(2015, 4, 17, 10),
    })
    expect(await replayJson(log, '--horizon', '3h')).toMatchObject({
      late: 0,
      firstAtMs: Date.UTC(2015, 4, 17, 9),
    })
  })

  it('reads the same from a file, from a pipe in pieces, with CRLF, with a byte order mark and without a last line end', async () => {
    const log = line('a').repeat(3) + line('b')
    const expected = await replayJson(log)
    const pieces = [...Buffer.from(log)].map((byte) => Buffer.from([byte]))
    const piped = await runInMemory(['replay', '-', ...POLICY, '--json'], pieces)
    const path = file('same.log', log)
    const fromFile = JSON.parse((await runInMemory(['replay', path, ...POLICY, '--json'])).stdout)
    expect(JSON.parse(piped.stdout)).toEqual(expected)
    expect({ ...fromFile, log: expected.log }).toEqual(expected)
    expect(await replayJson(log.replaceAll('\n', '\r\n'))).toEqual(expected)
    expect(await replayJson(`\ufeff${log}`)).toEqual(expected)
    expect(await replayJson(log.trimEnd())).toEqual(expected)
  })

  it('does not take a name of the language for a key it knows', async () => {
    const log = ['__proto__', 'constructor', 'toString'].map((host) => line(host)).join('')
    expect(await replayJson(log)).toMatchObject({ requests: 3, keys: 3, denied: 0 })
  })
})

describe('what it prints', () => {
  it('says null in JSON for a window that never ends', async () => {
    const ran = await runInMemory(
      [
        'replay',
        '-',
        '--algorithm',
        'token-bucket',
        '--capacity',
        '1',
        '--refill',
        '0',
        '--per',
        '1s',
        '--json',
      ],
      [Buffer.from(line('a').repeat(2))],
    )
    expect(JSON.parse(ran.stdout)).toMatchObject({ policy: { limit: 1, windowMs: null }, denied: 1 })
  })

  it.each([
    '--algorithm gcra --rate 1 --per 1m --burst 1',
    '--algorithm gcra --rate 1 --per 1m --burst 1 --key ip+path --free 304',
    '--algorithm sliding-window --limit 1000 --window 1m --compare',
    '--algorithm token-bucket --capacity 1000 --refill 1000 --per 1h --suggest 0.1% --of keys',
  ])('fits into 80 columns, with no escape code and no trailing space: %s', async (options) => {
    const { stdout } = await runInMemory(['replay', SITE_LOG, ...options.split(' ')])
    for (const row of stdout.split('\n')) {
      expect(row.length).toBeLessThanOrEqual(80)
      expect(row).toBe(row.trimEnd())
    }
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('10,000 requests')
    expect(stdout).toContain('2015-05-17 10:05:00 to 2015-05-20 21:05:59 UTC (3 d 11 h)')
  })

  it('shows an IPv6 address whole', async () => {
    const host = '2001:0db8:85a3:0000:0000:8a2e:0370:7334'
    expect((await replayText(line(host).repeat(3))).stdout).toContain(host)
  })

  it('lets no escape sequence of the log through to the terminal', async () => {
    const { stdout } = await replayText(`\u001b]0;evil\u0007\n${line('\u001b[2Jhost').repeat(3)}`)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).not.toContain('\u0007')
    expect(stdout).toContain('\\x1b[2Jhost')
  })

  it('says nothing of keys when none was denied', async () => {
    const { stdout } = await replayText(line('a'))
    expect(stdout).not.toContain('denied most')
    expect(stdout).toContain('0.00 %')
  })
})

describe('what it can not read', () => {
  const cases: [string, () => string, RegExp][] = [
    ['a missing file', () => join(folder, 'none.log'), /can't read .*none\.log: there is no such file\.$/m],
    ['a directory', () => folder, /it is a directory; name a log file\.$/m],
    ['an empty file', () => file('empty.log', ''), /is empty: there is nothing to replay\.$/m],
    ['blank lines', () => file('blank.log', '\n \n\r\n'), /holds blank lines only/],
    [
      'a binary file',
      () => file('binary.log', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 10, 0, 0])),
      /is a binary file, not an access log\.$/m,
    ],
    ['gzip of nothing', () => file('empty.log.gz', gzipSync('')), /is empty: there is nothing to replay\.$/m],
    [
      'gzip of a binary file',
      () => file('binary.gz', gzipSync(Buffer.from([1, 0, 2, 10, 0]))),
      /is a binary file, not an access log\.$/m,
    ],
    [
      'gzip that is cut off',
      () => file('cut.log.gz', gzipSync(line('a').repeat(100)).subarray(0, -9)),
      /is gzip that is cut off before its end\.$/m,
    ],
    [
      'gzip that is damaged',
      () => file('bad.log.gz', Buffer.concat([gzipSync(line('a')).subarray(0, 10), Buffer.alloc(50, 0xff)])),
      /is gzip that is damaged\.$/m,
    ],
    ['UTF-16', () => file('utf16.log', Buffer.from(`\ufeff${line('a')}`, 'utf16le')), /is UTF-16 text/],
    [
      'another format',
      () => file('a.json', '\n{"a":1}\n'),
      /no line of .*a\.json is a request in .*; line 2 is: \{"a":1\}$/m,
    ],
    ['a name that is too long', () => join(folder, 'x'.repeat(300)), /its name is too long\.$/m],
  ]
  it.each(cases)('says in one sentence what is wrong with %s', async (_, path, sentence) => {
    expectSentence(await runInMemory(['replay', path(), ...POLICY]), 1, sentence)
  })

  it('reads a log that begins with the zeros of a rotation under a writer', async () => {
    expect(
      await replayJson(Buffer.concat([Buffer.alloc(50_000), Buffer.from(`\n${line('a')}`)])),
    ).toMatchObject({ requests: 1 })
  })
})

describe('which options it wants', () => {
  const cases: [string, RegExp][] = [
    [
      '',
      /--algorithm is missing; it is one of fixed-window, .*leaky-bucket; or name a file with --config\.$/m,
    ],
    ['--algorithm leaky', /--algorithm leaky is not known; it is one of/],
    ['--algorithm __proto__', /--algorithm __proto__ is not known/],
    [
      '--algorithm fixed-window',
      /--limit and --window are missing: fixed-window takes --limit and --window, and may take --align\.$/m,
    ],
    ['--algorithm fixed-window --limit 1', /--window is missing: /],
    [
      '--algorithm token-bucket --limit 1 --window 1m',
      /--limit and --window do not apply to token-bucket: token-bucket takes --capacity, --refill and --per; --capacity, --refill and --per are missing\.$/m,
    ],
    ['--algorithm gcra --rate 1 --per 1s', /--burst is missing: gcra takes --rate, --per and --burst\.$/m],
    ['--algorithm leaky-bucket --rate 1 --per 1s --burst 2', /--burst does not apply to leaky-bucket/],
    ['--algorithm sliding-log --limit 1 --window 1s --strict', /--strict does not apply to sliding-log/],
    ['--algorithm fixed-window --limit 1 --window 60', /--window 60 has no unit: write 60s, 60m or 60ms\.$/m],
    ['--algorithm fixed-window --limit 1 --window 1w', /--window must be a duration .*; it is "1w"\.$/m],
    ['--algorithm fixed-window --limit 1 --window 0s', /--window must be a duration .*; it is "0s"\.$/m],
    ['--algorithm fixed-window --limit 1 --window 367d', /--window must be a duration .*; it is "367d"\.$/m],
    [
      '--algorithm fixed-window --limit many --window 1m',
      /--limit must be a number such as 100; it is "many"\.$/m,
    ],
    ['--algorithm fixed-window --limit 1.5 --window 1m', /--limit must be a whole number .*; it is 1\.5\.$/m],
    ['--algorithm fixed-window --limit -1 --window 1m', /--limit must be a whole number .*; it is -1\.$/m],
    ['--algorithm fixed-window --limit 0x10 --window 1m', /--limit must be a number/],
    ['--algorithm sliding-log --limit 1000001 --window 1m', /--limit must be .*1000000.*; it is 1000001\.$/m],
    [
      '--algorithm fixed-window --limit 1 --window 1m --align monday',
      /--align must be first or epoch; it is "monday"\.$/m,
    ],
    [
      '--algorithm fixed-window --limit 1 --window 1m --horizon soon',
      /--horizon must be a duration .*; it is "soon"\.$/m,
    ],
    ['--algorithm fixed-window --limit 1 --window 1m --horizon 120', /--horizon 120 has no unit/],
    ['--algoritm gcra', /unknown option '--algoritm' \(Did you mean --algorithm\?\)$/m],
    ['--algorithm', /option '--algorithm <name>' argument missing/],
  ]
  it.each(cases)('says what is wrong with "%s"', async (options, sentence) => {
    expectSentence(
      await runInMemory(['replay', SITE_LOG, ...options.split(' ').filter(Boolean)]),
      2,
      sentence,
    )
  })

  it('wants a log', async () => {
    expectSentence(await runInMemory(['replay']), 2, /missing required argument 'log'/)
    expectSentence(await runInMemory(['replay', 'a', 'b', ...POLICY]), 2, /too many arguments/)
  })
})
