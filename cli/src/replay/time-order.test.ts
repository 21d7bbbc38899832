import { describe, expect, it } from 'vitest'
import { replayHint, seededRandom, seedForRun } from '../testing/random.ts'
import { TimeOrder } from './time-order.ts'

function ordered(
  horizonMs: number,
  times: readonly number[],
): { released: [number, number][]; late: number } {
  const released: [number, number][] = []
  const order = new TimeOrder(horizonMs, (timeMs, id) => released.push([timeMs, id]))
  for (const [id, timeMs] of times.entries()) order.push(timeMs, id)
  order.end()
  return { released, late: order.late }
}

describe('within the horizon', () => {
  it('releases by time, and by the order of the file where times are equal', () => {
    const seed = seedForRun()
    const random = seededRandom(seed)
    for (let round = 0; round < 200; round++) {
      const times: number[] = []
      // Many equal times, and none further back than the horizon.
      for (let i = 0; i < 300; i++) times.push(Math.floor(i / 3) + Math.floor(random() * 20))
      const expected = times.map((timeMs, id) => [timeMs, id]).sort(([a = 0], [b = 0]) => a - b)
      const { released, late } = ordered(20, times)
      expect(released, replayHint(seed)).toEqual(expected)
      expect(late, replayHint(seed)).toBe(0)
    }
  })

  it('reaches a line that is a horizon behind to the millisecond, and keeps its place among equals', () => {
    expect(ordered(10, [0, 10, 0, 5])).toEqual({
      late: 0,
      released: [
        [0, 0],
        [0, 2],
        [5, 3],
        [10, 1],
      ],
    })
  })

  it('holds no more than a horizon of traffic', () => {
    let held = 0
    let most = 0
    const order = new TimeOrder(100, () => held--)
    for (let timeMs = 0; timeMs < 100_000; timeMs++) {
      held++
      order.push(timeMs, 0)
      most = Math.max(most, held)
    }
    expect(most).toBeLessThanOrEqual(102)
  })
})

describe('beyond the horizon', () => {
  it('stands still: a late line is released with the time that was reached, and counted', () => {
    const { released, late } = ordered(10, [100, 200, 50, 205])
    expect(released).toEqual([
      [100, 0],
      [100, 2],
      [200, 1],
      [205, 3],
    ])
    expect(late).toBe(1)
  })

  it('calls no line late that can still be put in its place', () => {
    expect(ordered(10, [100, 200, 150, 205])).toEqual({
      late: 0,
      released: [
        [100, 0],
        [150, 2],
        [200, 1],
        [205, 3],
      ],
    })
  })

  it('trusts the order of the file with a horizon of 0', () => {
    const { released, late } = ordered(0, [1, 2, 3, 2])
    expect(released.map(([, id]) => id)).toEqual([0, 1, 3, 2])
    expect(late).toBe(0)
  })
})
