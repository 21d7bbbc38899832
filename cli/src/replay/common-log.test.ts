import { describe, expect, it } from 'vitest'
import { CommonLogParser } from './common-log.ts'
import { keyChoice } from './key-choice.ts'

const AT = Date.UTC(2015, 4, 17, 10, 5, 3)

function parse(line: string | Buffer) {
  const bytes = Buffer.from(line)
  return new CommonLogParser(keyChoice('ip')).parse(bytes, 0, bytes.length)
}

function withTime(time: string): string {
  return `10.0.0.1 - - [${time}] "GET / HTTP/1.1" 200 1`
}

describe('what is a request', () => {
  const requests: [string, string][] = [
    ['Common', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 203023'],
    [
      'Combined',
      '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 203023 "http://a/" "Mozilla/5.0"',
    ],
    ['no size', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 304 -'],
    [
      'fields of its own at the end',
      '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 5 "-" "-" 0.003 up1',
    ],
    ['a user', '10.0.0.1 - ann [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 5'],
    [
      'a user with spaces and brackets',
      '10.0.0.1 - ann [a] lee [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 5',
    ],
    [
      'an escaped quote in the request',
      '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET /\\" 200 1 HTTP/1.1" 404 5',
    ],
    ['a request that is empty', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "" 400 0'],
    ['a request that is no HTTP', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "\\x16\\x03\\x01" 400 226'],
    [
      'a request with a bracketed time in it',
      '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / [18/May/2015:10:05:03 +0000]" 200 1',
    ],
  ]
  it.each(requests)('reads a line with %s', (_, line) => {
    expect(parse(line)).toEqual({ timeMs: AT, key: '10.0.0.1', status: expect.any(Number) })
  })

  it.each(['2001:db8::80', '::1', 'fe80::1%eth0', 'host.example.com', 'host.example.com:8080', 'пример.рф'])(
    'takes %s for a remote host',
    (host) => {
      const line = `${host} - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1`
      expect(parse(line)?.key).toBe(host)
    },
  )

  it('keeps hosts apart that are no UTF-8', () => {
    const rest = Buffer.from(' - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1')
    const one = parse(Buffer.concat([Buffer.from([0xff]), rest]))
    const other = parse(Buffer.concat([Buffer.from([0xfe]), rest]))
    expect(one?.key).not.toBe(other?.key)
  })
})

describe('what is none', () => {
  const broken: [string, string][] = [
    ['nothing', ''],
    ['one word', 'word'],
    ['words', 'the quick brown fox jumps over the lazy dog again and again until the line is long enough'],
    ['no host', ' - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1'],
    ['an unknown host, which is no key', '- - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1'],
    [
      'a virtual host before the client',
      'www.example.com:80 10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
    ],
    ['no ident and user', '10.0.0.1 [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1'],
    ['no time', '10.0.0.1 - - "GET / HTTP/1.1" 200 1 "-" "a long enough agent to fill the line"'],
    ['a request cut off', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HT'],
    ['a status cut off', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 20'],
    ['no size', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200'],
    ['a status in words', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" abc 1'],
    ['a size in words', '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 many'],
    [
      'JSON',
      '{"remote_addr":"10.0.0.1","time_iso8601":"2015-05-17T10:05:03+00:00","status":200,"request":"GET / HTTP/1.1"}',
    ],
  ]
  it.each(broken)('refuses a line with %s', (_, line) => {
    expect(parse(line)).toBeUndefined()
  })

  it('never reads beyond its line', () => {
    const whole = '10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1'
    const bytes = Buffer.from(`${whole}\n${whole}`)
    for (let end = 0; end < whole.length; end++) {
      expect(new CommonLogParser(keyChoice('ip')).parse(bytes, 0, end), `cut at ${end}`).toBeUndefined()
    }
  })
})

describe('time', () => {
  const times: [string, number][] = [
    ['17/May/2015:10:05:03 +0000', AT],
    ['17/May/2015:12:05:03 +0200', AT],
    ['17/May/2015:05:35:03 -0430', AT],
    ['29/Feb/2016:00:00:00 +0000', Date.UTC(2016, 1, 29)],
    ['31/Dec/2016:23:59:60 +0000', Date.UTC(2017, 0, 1)],
    ['01/Jan/1970:00:00:00 +0000', 0],
  ]
  it.each(times)('reads %s', (time, ms) => {
    expect(parse(withTime(time))?.timeMs).toBe(ms)
  })

  const wrong = [
    '29/Feb/2015:00:00:00 +0000',
    '31/Apr/2015:00:00:00 +0000',
    '00/May/2015:00:00:00 +0000',
    '17/Mai/2015:10:05:03 +0000',
    '17/may/2015:10:05:03 +0000',
    '17/May/2015:24:00:00 +0000',
    '17/May/2015:10:60:00 +0000',
    '17/May/2015:10:00:61 +0000',
    '17/May/2015:10:05:03 *0000',
    '17/May/2015:10:05:03 +0060',
    '17/May/0015:10:05:03 +0000',
    '01/Jan/1970:00:00:00 +0100',
    '01/Jan/2110:00:00:00 +0000',
    '1e/May/2015:10:05:03 +0000',
  ]
  it.each(wrong)('refuses %s', (time) => {
    expect(parse(withTime(time))).toBeUndefined()
  })

  it('does not take a day for the day before it', () => {
    const parser = new CommonLogParser(keyChoice('ip'))
    const read = (line: string) => parser.parse(Buffer.from(line), 0, line.length)?.timeMs
    expect(read(withTime('17/May/2015:10:05:03 +0000'))).toBe(AT)
    expect(read(withTime('18/May/2015:10:05:03 +0000'))).toBe(AT + 86_400_000)
    expect(read(withTime('31/Apr/2015:10:05:03 +0000'))).toBeUndefined()
    expect(read(withTime('31/Apr/2015:10:05:03 +0000'))).toBeUndefined()
    expect(read(withTime('17/May/2016:10:05:03 +0000'))).toBe(Date.UTC(2016, 4, 17, 10, 5, 3))
  })
})
