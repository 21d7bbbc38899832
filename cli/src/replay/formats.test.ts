import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SITE_LOG } from '../testing/fixture.ts'
import { DIALECTS, requestsOf } from '../testing/log-dialects.ts'
import { runInMemory } from '../testing/memory-io.ts'

const original = readFileSync(SITE_LOG)
const requests = requestsOf(original.toString())
const dialects = Object.entries(DIALECTS)

const QUESTIONS = [
  '--algorithm fixed-window --limit 20 --window 1m',
  '--algorithm sliding-log --limit 10 --window 10s --key path',
  '--algorithm token-bucket --capacity 2 --refill 2 --per 1m --key ip+path --free 304,404',
]

async function figures(question: string, chunks: readonly Buffer[]) {
  const ran = await runInMemory(['replay', '-', '--json', ...question.split(' ')], chunks)
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  return JSON.parse(ran.stdout)
}

/** As a pipe would bring it: in pieces that end anywhere. */
function inPieces(whole: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < whole.length; at += 65_521) pieces.push(whole.subarray(at, at + 65_521))
  return pieces
}

describe.each(QUESTIONS)('%s', (question) => {
  it.each(dialects)('says the same of the site log as %s, gzip or not', async (_, written) => {
    const log = Buffer.from(requests.map((request) => `${written(request)}\n`).join(''))
    const expected = await figures(question, [original])
    expect(expected).toMatchObject({ requests: 10_000, skippedLines: 0 })
    expect(await figures(question, inPieces(log))).toEqual(expected)
    expect(await figures(question, inPieces(gzipSync(log)))).toEqual(expected)
  })
})

it('reads each line in the dialect it is in, and gzip of several members to its end', async () => {
  const lines = requests.map((request, i) => `${dialects[i % dialects.length]?.[1](request)}\n`)
  const [question = ''] = QUESTIONS
  const members = Buffer.concat(
    [lines.slice(0, 5000), lines.slice(5000)].map((part) => gzipSync(part.join(''))),
  )
  const bytes = [...members.subarray(0, 10)].map((byte) => Buffer.from([byte]))
  expect(await figures(question, [...bytes, members.subarray(10)])).toEqual(
    await figures(question, [original]),
  )
})

it('reads gzip from a file that is longer than what is read at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-formats-'))
  const path = join(folder, 'access.log')
  writeFileSync(path, gzipSync(original, { level: 0 }))
  const [question = ''] = QUESTIONS
  const { stdout } = await runInMemory(['replay', path, '--json', ...question.split(' ')])
  rmSync(folder, { recursive: true })
  expect({ ...JSON.parse(stdout), log: 'standard input' }).toEqual(await figures(question, [original]))
})

it('takes a field of a JSON log for the key', async () => {
  const caddy = Buffer.from(requests.map((request) => `${DIALECTS['Caddy']?.(request)}\n`).join(''))
  const [question = ''] = QUESTIONS
  const byIp = await figures(question, [original])
  const byHeader = await figures(`${question} --key request.headers.X-Client`, [caddy])
  expect(byHeader).toEqual({ ...byIp, key: 'request.headers.X-Client' })
})
