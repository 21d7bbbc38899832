import { expect, it } from 'vitest'
import { replayHint, seededRandom, seedForRun } from '../testing/random.ts'
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts'

function split(chunks: readonly Buffer[]): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter({
    line: (bytes, start, end) => lines.push(bytes.toString('utf8', start, end)),
    overlong: () => lines.push('OVERLONG'),
  })
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

it('gives the same lines wherever the chunks are cut', () => {
  const seed = seedForRun()
  const random = seededRandom(seed)
  const text = 'one\n\ntwo \r\nthrée\r\n\n\r\nthe last, without an end'
  const whole = Buffer.from(text)
  const expected = text.split('\n').map((line) => line.replace(/\r$/, ''))
  for (let round = 0; round < 500; round++) {
    const chunks: Buffer[] = []
    for (let at = 0; at < whole.length; ) {
      const size = Math.floor(random() * 8)
      chunks.push(whole.subarray(at, at + size))
      at += size
    }
    expect(split(chunks), replayHint(seed)).toEqual(expected)
  }
})

it('adds no line after the last line end, and none for nothing', () => {
  expect(split([Buffer.from('a\n')])).toEqual(['a'])
  expect(split([])).toEqual([])
})

it('lends bytes that the reader may use again, and keeps none of them', () => {
  const chunk = Buffer.from('first\nsec')
  const lines: string[] = []
  const splitter = new LineSplitter({
    line: (bytes, start, end) => lines.push(bytes.toString('utf8', start, end)),
    overlong: () => lines.push('OVERLONG'),
  })
  splitter.push(chunk)
  chunk.fill('x')
  splitter.push(Buffer.from('ond\n'))
  expect(lines).toEqual(['first', 'second'])
})

it('lets a line by that is too long to be one, however it comes, and reads on after it', () => {
  const long = Buffer.alloc(MAX_LINE_BYTES + 1, 'x')
  const end = Buffer.from('\nnext\n')
  expect(split([Buffer.concat([long, end])])).toEqual(['OVERLONG', 'next'])
  expect(split([long.subarray(0, 10), long, long, end])).toEqual(['OVERLONG', 'next'])
  expect(split([long, long])).toEqual(['OVERLONG'])
  expect(split([long.subarray(1), end])).toEqual([long.toString('utf8', 1), 'next'])
})
