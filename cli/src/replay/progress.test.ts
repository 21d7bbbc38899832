import { expect, it } from 'vitest'
import { Progress } from './progress.ts'

function progressOn(
  isTTY: boolean,
  total: number | undefined,
): { progress: Progress; written: () => string } {
  let written = ''
  const terminal = { isTTY, write: (text: string) => (written += text) }
  return { progress: new Progress(terminal, total), written: () => written }
}

it('says how far it is, on one line of a terminal, and leaves no trace', () => {
  const { progress, written } = progressOn(true, 200)
  progress.update(50, 1234)
  expect(written()).toBe('\r\u001b[Kreplaying: 1,234 requests, 25 %')
  progress.clear()
  expect(written().endsWith('\r\u001b[K')).toBe(true)
})

it('does not write for every chunk', () => {
  const { progress, written } = progressOn(true, undefined)
  for (let i = 0; i < 1000; i++) progress.update(i, i)
  expect(written().split('replaying').length).toBeLessThan(20)
})

it('writes nothing where there is no terminal', () => {
  const { progress, written } = progressOn(false, 200)
  progress.update(50, 1)
  progress.clear()
  expect(written()).toBe('')
})
