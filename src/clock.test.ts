import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HORIZON_MS, nowMicros, systemClock, told } from './clock.ts'

describe('the system clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is anchored to the wall once: a step of the wall clock neither gives nor takes time', () => {
    const before = systemClock.nowMs()
    vi.setSystemTime(Date.now() + 86_400_000)
    expect(systemClock.nowMs()).toBe(before)
    vi.advanceTimersByTime(1000)
    expect(systemClock.nowMs()).toBe(before + 1000)
  })

  it('sleeps for 40 days with timers that take 24.8, and not a moment less', async () => {
    const days = 86_400_000
    const wake = systemClock.nowMs() + 40 * days
    let awake = false
    const sleeping = systemClock.sleepUntil(wake).then(() => {
      awake = true
    })
    await vi.advanceTimersByTimeAsync(40 * days - 1)
    expect([awake, vi.getTimerCount()]).toEqual([false, 1])
    await vi.advanceTimersByTimeAsync(1)
    await sleeping
    expect([awake, vi.getTimerCount()]).toEqual([true, 0])
  })

  it('rejects with the reason of the signal, and leaves neither timer nor listener', async () => {
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const sleeping = systemClock.sleepUntil(systemClock.nowMs() + 1000, controller.signal)
    const reason = new Error('changed my mind')
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
    await expect(systemClock.sleepUntil(0, controller.signal)).rejects.toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
    expect(removed).toHaveBeenCalled()
  })
})

describe('instants', () => {
  const clockAt = (ms: number) => ({ nowMs: () => ms, sleepUntil: async () => {} })

  it('come back the same from milliseconds with a fraction, up to the horizon', () => {
    for (const micros of [0, 1, 999, 1_700_000_000_000_001, HORIZON_MS * 1000 - 1]) {
      expect(nowMicros(clockAt(micros / 1000))).toBe(micros)
      expect(told(micros)).toBe(micros)
    }
  })

  it('are Infinity from the horizon on', () => {
    expect(told(HORIZON_MS * 1000)).toBe(Number.POSITIVE_INFINITY)
    expect(told(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([Number.NaN, -1, -0.001, HORIZON_MS, Number.POSITIVE_INFINITY])(
    'a clock that says %d is an error',
    (ms) => {
      expect(() => nowMicros(clockAt(ms))).toThrow(expect.objectContaining({ code: 'ERR_HEADGATE_CLOCK' }))
    },
  )
})
