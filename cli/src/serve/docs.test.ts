import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from 'headgate/testing'
import { describe, expect, it } from 'vitest'
import { ALGORITHM_NAMES, POLICY_SCHEMAS } from '../config/policy-schema.ts'
import { parseConfig } from '../config/read-config.ts'
import { runInMemory } from '../testing/memory-io.ts'
import { post, startService, take } from '../testing/served.ts'
import { serveCommand } from './command.ts'
import { greeting } from './greeting.ts'
import { PROBLEMS } from './problems.ts'

const page = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
const guide = page('guides/service.md')
const reference = page('reference/service.md')
const configPage = page('reference/service-config.md')

interface Block {
  readonly language: string
  readonly code: string
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

const [first, second] = blocksOf(guide).filter(({ language }) => language === 'yaml')

/** A value in the documentation, where `…` stands for the rest of a text. */
function told(value: unknown): unknown {
  if (typeof value === 'string' && value.endsWith('…')) {
    const start = value.slice(0, -1)
    return expect.stringMatching(new RegExp(`^${start.replaceAll('.', '\\.')}\\S{50,}$`))
  }
  if (Array.isArray(value)) return value.map(told)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, told(part)]))
}

/** What is asked in a block, with the receipt that it shortens. */
function asked(code: string, receipt: string): { path: string; body: string } | undefined {
  const [, path = '', body = ''] =
    /^curl -s http:\/\/127\.0\.0\.1:8787(\S+) [\s\S]* -d '(.*)'\n$/.exec(code) ?? []
  return path === '' ? undefined : { path, body: body.replace(/"login:hg1.…"/, JSON.stringify(receipt)) }
}

describe('the guide to the service', () => {
  it('answers its own lines as it says, to the letter', async () => {
    const clock = new ManualClock(1_800_000_000_000)
    const { service, origin } = await startService({
      config: parseConfig('policies.yaml', first?.code ?? ''),
      clock,
    })
    let receipt = ''
    for (let i = 0; i < 5; i++) receipt = (await take(origin, 'ann', { policy: 'login' })).receipt ?? ''
    let lines = 0
    const blocks = blocksOf(guide)
    for (const [i, { code }] of blocks.entries()) {
      const question = asked(code, receipt)
      if (!question) continue
      lines++
      const response = await post(origin, question.path, question.body)
      expect(await response.json(), question.body).toEqual(told(JSON.parse(blocks[i + 1]?.code ?? '')))
    }
    expect(lines).toBe(7)
    await service.stop(1000)
  })

  it('shows what it says when it starts', () => {
    const config = parseConfig('policies.yaml', first?.code ?? '')
    const [text] = blocksOf(guide).filter(({ language }) => language === 'text')
    expect(
      greeting('http://127.0.0.1:8787', config, { bold: (line) => line, hasTokens: false }).split('Try:')[0],
    ).toBe(text?.code)
  })

  it('shows what is wrong with a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-guide-'))
    const file = join(folder, 'policies.yaml')
    writeFileSync(file, second?.code ?? '')
    const { stderr } = await runInMemory(['serve', '--port', '0', '--config', file])
    rmSync(folder, { recursive: true })
    const [, text] = blocksOf(guide).filter(({ language }) => language === 'text')
    expect(stderr.replaceAll(file, 'policies.yaml')).toBe(text?.code)
  })
})

describe('the reference of the service', () => {
  it('has every problem with its status', () => {
    const rows = [...reference.matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm)]
    expect(rows.map(([, kind, status]) => [kind, Number(status)])).toEqual(
      Object.entries(PROBLEMS).map(([kind, { status }]) => [kind, status]),
    )
  })

  it('has every option with its default', () => {
    const { options } = serveCommand({
      stdin: (async function* () {})(),
      stdout: process.stdout,
      stderr: process.stderr,
    })
    const rows = [...reference.matchAll(/^\| `(--[a-z-]+)` \| (\S*) ?\|/gm)]
    expect(rows.map(([, option, value]) => [option, value])).toEqual(
      options.map(({ long, defaultValue }) => [long, typeof defaultValue === 'string' ? defaultValue : '']),
    )
  })
})

describe('the reference of the file', () => {
  it('has an example that can be used', () => {
    const [example] = blocksOf(configPage)
    const { policies, limiters } = parseConfig('a.yaml', example?.code ?? '')
    expect(policies.size + limiters.size).toBe(3)
  })

  it('has every field of every algorithm, in the words of the schema', async () => {
    const [before = '', after = ''] = configPage.split(
      /(?<=^<!-- tables: .*-->\n)[\s\S]*(?=^<!-- end of tables -->)/m,
    )
    const written = `${before}\n${ALGORITHM_NAMES.map(tableOf).join('\n')}\n${after}`
    // With -u the page is written anew, by what the schemas really say.
    await expect(written).toMatchFileSnapshot('../../../docs/reference/service-config.md')
  })
})

function tableOf(algorithm: (typeof ALGORITHM_NAMES)[number]): string {
  const { properties, required } = POLICY_SCHEMAS[algorithm] as unknown as {
    properties: Record<string, { title: string; description: string }>
    required: string[]
  }
  const rows = Object.entries(properties)
    .filter(([name]) => name !== 'algorithm')
    .map(
      ([name, { title, description }]) =>
        `| \`${name}\` | ${required.includes(name) ? 'needed' : ''} | ${description} Must be ${title}. |`,
    )
  return `### \`${algorithm}\`\n\n| field | | |\n|---|---|---|\n${rows.join('\n')}\n`
}
