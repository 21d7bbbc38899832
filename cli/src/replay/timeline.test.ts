import { describe, expect, it } from 'vitest'
import { replayHint, seededRandom, seedForRun } from '../testing/random.ts'
import { picture } from './picture.ts'
import { Timeline } from './timeline.ts'

describe('columns', () => {
  it('hold every count in its place, however the span grows and in whatever order it comes', () => {
    const seed = seedForRun()
    const random = seededRandom(seed)
    for (let round = 0; round < 60; round++) {
      const span = 10 ** (1 + random() * 11)
      const start = Math.floor(random() * 1e12)
      const timeline = new Timeline(2)
      const events = Array.from({ length: 400 }, () => [
        start + Math.floor(random() * span),
        random() < 0.5 ? 0 : 1,
      ])
      for (const [timeMs = 0, series = 0] of events) timeline.add(timeMs, series)
      const { columnMs, fromMs, rows } = timeline.columns(60)
      const expected = rows.map((row) => row.map(() => 0))
      for (const [timeMs = 0, series = 0] of events) {
        const row = expected[series]
        const at = Math.floor((timeMs - fromMs) / columnMs)
        if (row) row[at] = (row[at] ?? 0) + 1
      }
      expect(rows, replayHint(seed)).toEqual(expected)
      expect(rows[0]?.length, replayHint(seed)).toBeLessThanOrEqual(60)
      expect(fromMs % columnMs, replayHint(seed)).toBe(0)
    }
  })

  it('are as narrow as fits', () => {
    const timeline = new Timeline(1)
    for (let second = 0; second < 300; second++) timeline.add(second * 1000, 0)
    expect(timeline.columns(60)).toMatchObject({ columnMs: 5000, fromMs: 0 })
    expect(timeline.columns(59)).toMatchObject({ columnMs: 10_000 })
    expect(timeline.columns(300)).toMatchObject({ columnMs: 1000 })
  })
})

describe('the picture', () => {
  const columns = {
    columnMs: 3_600_000,
    fromMs: Date.UTC(2015, 4, 17, 10),
    rows: [Array(30).fill(80), [0, 1, 40, ...Array(27).fill(0)], [20, ...Array(29).fill(0)]],
  }

  it('shows whatever is not nothing, and denials on one scale', () => {
    const [, requests, first, second, axis] = picture(columns, ['one', 'two'])
    expect(requests).toBe(`requests        ${'█'.repeat(30)}`)
    expect(first?.trimEnd()).toBe('one              ▁█')
    expect(second?.trimEnd()).toBe('two             ▄')
    expect(axis).toBe('                05-17 10:00        05-18 16:00')
  })

  it('fits into 80 columns', () => {
    const wide = { ...columns, rows: [Array(60).fill(1), Array(60).fill(1)] }
    for (const line of picture(wide, ['sliding-window'])) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('is empty where nothing was denied', () => {
    const quiet = { ...columns, rows: [Array(30).fill(80), Array(30).fill(0)] }
    expect(picture(quiet, ['denied'])[2]?.trim()).toBe('denied')
  })
})
