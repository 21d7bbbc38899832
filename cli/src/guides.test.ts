import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SITE_LOG } from './testing/fixture.ts'
import { runInMemory } from './testing/memory-io.ts'

const guide = (name: string): string =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')

it('the guide to replay shows what the commands in it print', async () => {
  const text = guide('replay')
  const shown = [...text.matchAll(/npx headgate replay \S+ (.*)\n```\n\n```text\n([\s\S]*?)```/g)]
  expect(shown).toHaveLength(3)
  for (const [, options = '', output] of shown) {
    const { stdout } = await runInMemory(['replay', SITE_LOG, ...options.split(' ')])
    expect(stdout.replaceAll(SITE_LOG, 'test/fixtures/site-access.log')).toBe(output)
  }
  const bucket = /npx headgate replay \S+ (--algorithm token-bucket --capacity .*)\n/.exec(text)?.[1] ?? ''
  const totals = JSON.parse((await runInMemory(['replay', SITE_LOG, ...bucket.split(' '), '--json'])).stdout)
  expect(text).toContain(`It denies ${totals.denied} requests over ${totals.deniedKeys} keys.`)
})

it.each([[['--limit', '1']], [['--limit', '1', '--compare']], [['--suggest', '1%', '--limit', '9']]])(
  'the guide to replay names every field of the JSON with %j',
  async (options) => {
    const log = 'nonsense\n10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1\n'
    const { stdout } = await runInMemory(
      ['replay', '-', '--algorithm', 'fixed-window', '--window', '1s', '--json', ...options],
      [Buffer.from(log)],
    )
    const totals = JSON.parse(stdout)
    const { log: _, ...rest } = totals
    const nested = [totals.overTime, totals.suggested, totals.compared?.[0], totals.peak, totals.askedPeak]
    const fields = [rest, ...nested].flatMap((object) => Object.keys(object ?? {}))
    for (const field of fields) expect(guide('replay')).toContain(`\`${field}\``)
  },
)
