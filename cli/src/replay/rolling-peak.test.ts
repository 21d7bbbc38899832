import { expect, it } from 'vitest'
import { replayHint, seededRandom, seedForRun } from '../testing/random.ts'
import { RollingPeak } from './rolling-peak.ts'

function peakOf(windowMs: number, events: readonly (readonly [number, number])[], maxHeld?: number) {
  const peak = new RollingPeak(windowMs, maxHeld)
  for (const [id, timeMs] of events) peak.add(id, timeMs)
  return peak.peak((id) => `key ${id}`)
}

it('counts what lies within a window of each request, its end included and its beginning not', () => {
  expect(
    peakOf(
      10,
      [
        [1, 0],
        [1, 10],
        [1, 11],
      ].map(([id = 0, timeMs = 0]) => [id, timeMs]),
    ),
  ).toEqual({
    requests: 2,
    key: 'key 1',
    atMs: 11,
  })
})

it('finds the peak that counting every window finds, whatever the ring has been through', () => {
  const seed = seedForRun()
  const random = seededRandom(seed)
  for (let round = 0; round < 20; round++) {
    let timeMs = 0
    const events = Array.from({ length: 5000 }, () => {
      timeMs += random() < 0.9 ? 0 : Math.floor(random() * 50)
      return [Math.floor(random() * 2000 ** random()), timeMs] as const
    })
    const windowMs = [1, 40, 2000, 1e9][round % 4] ?? 1
    const most = Math.max(
      ...[...new Set(events.map(([id]) => id))].map((id) => {
        const times = events.filter(([other]) => other === id).map(([, at]) => at)
        let from = 0
        return Math.max(
          ...times.map((at, i) => {
            while ((times[from] ?? 0) <= at - windowMs) from++
            return i - from + 1
          }),
        )
      }),
    )
    expect(peakOf(windowMs, events)?.requests, replayHint(seed)).toBe(most)
  }
})

it('says nothing rather than something wrong where a window holds more than it may', () => {
  const events = Array.from({ length: 1025 }, (_, i) => [0, i] as const)
  expect(peakOf(1e6, events, 1024)).toBeUndefined()
  expect(peakOf(100, events, 1024)?.requests).toBe(100)
  expect(peakOf(1, [])).toBeUndefined()
})
