import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Failure } from '../failure.ts'
import { parseConfig, readConfig, readPolicies } from './read-config.ts'

const EVERYTHING = `
policies:
  fixed: { algorithm: fixed-window, limit: 5, window: 15m, align: epoch, maxLimit: 50 }
  counter: { algorithm: sliding-window, limit: 100, window: 1.5s, strict: true }
  log: { algorithm: sliding-log, limit: 10, window: 1h }
  bucket: { algorithm: token-bucket, capacity: 20, refill: 10, per: 1m, maxLimit: 20 }
  cells: { algorithm: gcra, rate: 200, per: 1s, burst: 20 }
  flat: { algorithm: leaky-bucket, rate: 2, per: 1s }
limiters:
  api:
    policies:
      ip: &ip { algorithm: sliding-window, limit: 600, window: 1m }
      user: { algorithm: token-bucket, capacity: 50, refill: 10, per: 1s, maxLimit: 500 }
  web:
    policies: { ip: *ip }
`

/** What is wrong with a text, line by line. */
function faultsOf(text: string): string[] {
  try {
    parseConfig('a.yaml', text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [head, ...faults] = error.message.split('\n')
    expect(head).toMatch(new RegExp(`^a.yaml can't be used; ${faults.length} errors?:$`))
    return faults.map((fault) => fault.trim())
  }
  return []
}

const ONE = 'policies:\n  a: { algorithm: fixed-window, limit: 1, window: 1s }\n'

describe('a good file', () => {
  it('declares every algorithm, and limiters of several', () => {
    const { policies, limiters } = parseConfig('a.yaml', EVERYTHING)
    const told = [...policies].map(([name, { policy, maxLimit }]) => [
      name,
      policy.algorithm,
      policy.limit,
      policy.windowMs,
      maxLimit,
    ])
    expect(told).toEqual([
      ['fixed', 'fixed-window', 5, 900_000, 50],
      ['counter', 'sliding-window', 100, 1500, undefined],
      ['log', 'sliding-log', 10, 3_600_000, undefined],
      ['bucket', 'token-bucket', 20, 120_000, 20],
      ['cells', 'gcra', 20, 100, undefined],
      ['flat', 'gcra', 1, 500, undefined],
    ])
    expect([...limiters].map(([name, own]) => [name, [...own.keys()]])).toEqual([
      ['api', ['ip', 'user']],
      ['web', ['ip']],
    ])
  })

  it('lets a limit, a capacity and a burst be another, and nothing else', () => {
    const { policies } = parseConfig('a.yaml', EVERYTHING)
    for (const [name, declared] of policies) {
      const { policy } = declared
      const other = declared.withLimit(7)
      expect(other.algorithm, name).toBe(policy.algorithm)
      expect(other.limit, name).toBe(name === 'flat' ? 1 : 7)
      expect(other.windowMs / other.limit === policy.windowMs / policy.limit, name).toBe(
        policy.algorithm === 'token-bucket' || policy.algorithm === 'gcra',
      )
    }
  })
})

describe('a bad file', () => {
  it('is told all that is wrong with it, in the order of its lines', () => {
    const text = `policies:
  a: { algorithm: fixed-window, limit: -1, window: 15 }
  b:
    algorithm: sliding-windw
  c: { algorithm: gcra, rate: 1, per: 0.5ms, brust: 2 }
limiters:
  a: { policies: {} }
  x:
    policies:
      ip: { algorithm: token-bucket, capacity: 10, refill: 1, per: 1s, maxLimit: 5 }
extra: 1
`
    const period =
      'a duration with its unit, such as 250ms, 90s or 15m, of whole milliseconds from 1ms to 366d'
    expect(faultsOf(text)).toEqual([
      'a.yaml:2:40: policies.a.limit must be a whole number from 0 to 1000000000; it is -1.',
      `a.yaml:2:52: policies.a.window must be ${period}; it is 15.`,
      'a.yaml:4:16: policies.b.algorithm must be one of fixed-window, sliding-window, sliding-log, token-bucket, gcra, leaky-bucket; it is "sliding-windw".',
      'a.yaml:5:6: policies.c has no burst, which it needs.',
      `a.yaml:5:39: policies.c.per must be ${period}; it is "0.5ms".`,
      'a.yaml:5:46: policies.c.brust is not known here; there is algorithm, rate, per, burst, maxLimit.',
      'a.yaml:7:3: limiters.a must have a name of its own; a policy has it already.',
      'a.yaml:7:18: limiters.a.policies must be from 1 to 16 policies by name; it is an empty map.',
      'a.yaml:10:82: limiters.x.policies.ip.maxLimit must be at least 10, the capacity itself; it is 5.',
      'a.yaml:11:1: extra is not known here; there is policies, limiters.',
    ])
  })

  const rule = 'it must be at most 64 letters, digits, dots, "_" and "-", and begin with a letter or digit'
  const cases: [string, string, string][] = [
    ['empty', '', '1:1: the file is empty; it must hold policies, limiters or both'],
    ['of comments alone', '# nothing\n', '1:1: the file is empty; it must hold policies, limiters or both'],
    ['with nothing in it', 'policies: {}', '1:1: the file must hold at least one policy or limiter'],
    ['a text', 'hello', '1:1: the file must be a map with policies, limiters or both; it is "hello"'],
    ['a list', '- 1', '1:1: the file must be a map with policies, limiters or both; it is a list'],
    [
      'with a tab',
      'policies:\n\ta: 1',
      '2:1: this is not YAML that can be read: Tabs are not allowed as indentation',
    ],
    ['with a name twice', `${ONE}  a: {}`, '3:3: this is not YAML that can be read: Map keys must be unique'],
    ['of two documents', `${ONE}---\n`, '3:1: a second document begins here; a config is one'],
    ['with a tag', `${ONE}  b: !x {}`, '3:6: this is not YAML that can be read: Unresolved tag: !x'],
    [
      'with a name that starts a field of all objects',
      `${ONE}  __proto__: { algorithm: leaky-bucket, rate: 1, per: 1s }`,
      `3:3: policies.__proto__ is no name: ${rule}`,
    ],
    [
      'with a name that has a colon',
      `${ONE}  "b:c": { algorithm: leaky-bucket, rate: 1, per: 1s }`,
      `3:3: policies.b:c is no name: ${rule}`,
    ],
    [
      'without an algorithm',
      'policies:\n  a: { limit: 1 }',
      '2:6: policies.a has no algorithm, which is one of fixed-window, sliding-window, sliding-log, token-bucket, gcra, leaky-bucket',
    ],
    [
      'with a policy that is empty',
      'policies:\n  a:\n',
      '2:5: policies.a must be a policy: its algorithm and its numbers; it is empty',
    ],
    [
      'with an algorithm that is a field of all objects',
      'policies: { a: { algorithm: constructor } }',
      '1:29: policies.a.algorithm must be one of fixed-window, sliding-window, sliding-log, token-bucket, gcra, leaky-bucket; it is "constructor"',
    ],
    [
      'with a limit in text',
      ONE.replace('limit: 1', 'limit: "1"'),
      '2:40: policies.a.limit must be a whole number from 0 to 1000000000; it is "1"',
    ],
    [
      'with a limit that is no number',
      ONE.replace('limit: 1', 'limit: .nan'),
      '2:40: policies.a.limit must be a whole number from 0 to 1000000000; it is NaN',
    ],
    [
      'with a log too long',
      ONE.replace('fixed-window, limit: 1', 'sliding-log, limit: 1000001'),
      '2:39: policies.a.limit must be a whole number from 0 to 1000000; it is 1000001',
    ],
    [
      'with a window too long',
      ONE.replace('1s', '367d'),
      '2:51: policies.a.window must be a duration with its unit, such as 250ms, 90s or 15m, of whole milliseconds from 1ms to 366d; it is "367d"',
    ],
    [
      'with a leaky bucket that is to change',
      'policies: { a: { algorithm: leaky-bucket, rate: 1, per: 1s, maxLimit: 5 } }',
      '1:61: policies.a.maxLimit is not known here; there is algorithm, rate, per',
    ],
    [
      'with a limiter that is a list',
      'limiters: { a: [] }',
      '1:16: limiters.a must be a limiter: its policies by name; it is a list',
    ],
    [
      'with a value that moves the cursor',
      'policies: { a: { algorithm: "\\e[2J" } }',
      '1:29: policies.a.algorithm must be one of fixed-window, sliding-window, sliding-log, token-bucket, gcra, leaky-bucket; it is "\\\\x1b[2J"',
    ],
  ]
  it.each(cases)('is told so where it stands: %s', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([`a.yaml:${fault}.`])
  })

  it('may not grow by aliases of aliases', () => {
    const levels = Array.from({ length: 9 }, (_, i) => `  l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`)
    expect(faultsOf(`policies:\n  l0: &l0 [1]\n${levels.join('\n')}`).join()).toMatch(/alias/i)
  })

  it('has no more policies in a limiter than a check can name', () => {
    const policies = Array.from(
      { length: 17 },
      (_, i) => `p${i}: { algorithm: leaky-bucket, rate: 1, per: 1s }`,
    )
    expect(faultsOf(`limiters: { a: { policies: { ${policies.join(', ')} } } }`)).toEqual([
      'a.yaml:1:28: limiters.a.policies must be from 1 to 16 policies by name; it is a map.',
    ])
  })
})

describe('a file on a disk', () => {
  let folder = ''
  const put = (name: string, content: string | Uint8Array): string => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headgate-config-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('gives its policies by name, those of a limiter behind its name', async () => {
    const policies = await readPolicies(put('good.yaml', EVERYTHING))
    expect([...policies.keys()].join()).toBe('fixed,counter,log,bucket,cells,flat,api/ip,api/user,web/ip')
    expect(policies.get('api/user')?.policy).toMatchObject({ algorithm: 'token-bucket', limit: 50 })
  })

  it('may begin with a byte order mark, and have Windows line ends', async () => {
    const { policies } = await readConfig(put('bom.yaml', `\ufeff${ONE.replaceAll('\n', '\r\n')}`))
    expect([...policies.keys()]).toEqual(['a'])
  })

  it('is refused in a sentence when it is missing, a folder, too large or not text', async () => {
    const failure = (file: string) =>
      readConfig(file).then(
        () => '',
        (error: Error) => error.message.replaceAll(folder, ''),
      )
    expect(await failure(join(folder, 'none.yaml'))).toBe("can't read /none.yaml: there is no such file.")
    expect(await failure(folder)).toBe("can't read : it is a directory.")
    const large = put('large.yaml', `${ONE}#${'x'.repeat(1 << 20)}`)
    expect(await failure(large)).toMatch(/^\/large.yaml is \d+ bytes; a config has at most 1048576.$/)
    expect(await failure(put('binary.yaml', Buffer.from([0xff, 0xfe, 0])))).toBe(
      '/binary.yaml is not UTF-8 text: save it as UTF-8.',
    )
  })
})
