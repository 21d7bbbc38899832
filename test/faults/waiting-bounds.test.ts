import { getEventListeners } from 'node:events'
import { fixedWindow, Limiter, MemoryStore, tokenBucket } from 'headgate'
import { ManualClock } from 'headgate/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { ALGORITHMS, BUCKET, FIXED } from './algorithms.ts'
import { heapBytes } from './heap.ts'
import { run } from './programs/run.ts'
import { composedRig, kind, memoryKind, rig, settled } from './rig.ts'
import { follow, no, ok, STARTS } from './timeline.ts'
import { every, Watch } from './waiters.ts'

const START = STARTS[1] ?? 0
const MONTH_MS = 2_592_000_000
const bucket = tokenBucket({ capacity: 1, refill: 1, per: 1000 })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

kind('long-delay-overflows', (store) => {
  it('a window of thirty days lasts thirty days', async () => {
    for (const policy of [FIXED.policy(1, MONTH_MS), BUCKET.policy(1, MONTH_MS)]) {
      const { clock, limiter } = await rig(store, policy, START)
      await follow(
        limiter,
        clock,
        [ok(0), no(10_000, { retryAfterMs: 2_591_990_000 }), no(MONTH_MS - 0.001), ok(MONTH_MS)],
        START,
      )
    }
  })

  it('a wait of thirty days, or of 366, is granted on its day', async () => {
    for (const days of [30, 366]) {
      const { clock, limiter } = await rig(store, BUCKET.policy(1, days * 86_400_000), START)
      const watch = new Watch(clock)
      await limiter.take('user')
      await watch.on('user', limiter.wait('user'))
      await watch.through([1, 2 ** 31 - 1, 2 ** 31, days * 86_400_000 - 0.001])
      expect(watch.endings).toEqual([])
      await watch.through([days * 86_400_000])
      expect(watch.granted).toEqual([['user', days * 86_400_000]])
    }
  })
})

memoryKind('long-delay-overflows', () => {
  it('a wait of thirty days spins no timer, raises no warning, and leaves nothing when it is aborted', async () => {
    expect(await run('long-wait.ts')).toEqual({
      waiting: { timers: 1, set: 1, longestMs: 2 ** 31 - 1 },
      aborted: { timers: 0, reason: 'enough' },
      granted: { timers: 0 },
      warnings: [],
    })
  })

  it('a wait of thirty days on the clock of the system is granted on its day', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: START })
    vi.resetModules()
    const fresh = await import('headgate')
    const limiter = new fresh.Limiter({ policy: fresh.fixedWindow({ limit: 1, window: '30d' }) })
    let granted = 0
    await limiter.take('user')
    limiter.wait('user').then(() => granted++)
    await vi.advanceTimersByTimeAsync(MONTH_MS - 1)
    expect([granted, vi.getTimerCount()]).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(2)
    expect([granted, vi.getTimerCount()]).toEqual([1, 0])
  })
})

kind('wait-not-abortable', (store) => {
  it('an abort ends a wait at once, with its reason, and the next in line is served', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    const stop = new AbortController()
    const reason = new Error('the client has gone')
    await limiter.take('user')
    await watch.on('A', limiter.wait('user', { signal: stop.signal }))
    await watch.on('B', limiter.wait('user'))
    await watch.through([500])
    stop.abort(reason)
    await settled()
    expect(watch.endings).toEqual([{ name: 'A', at: 500, error: reason }])
    await watch.through([999.999, 1000])
    expect(watch.granted).toEqual([['B', 1000]])
    await follow(limiter, clock, [no(1000), no(1999.999), ok(2000)], START)
    expect(clock.sleepers).toBe(0)
  })

  it('a signal that is aborted already is told at once, and nothing is charged', async () => {
    for (const reason of [new Error('gone'), 'gone', null, 0]) {
      const { limiter } = await rig(store, bucket, START)
      await expect(limiter.wait('user', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect((await limiter.take('user')).allowed).toBe(true)
    }
  })

  for (const { name, policy } of ALGORITHMS) {
    it(`${name}: whoever aborts, the others go in order, and nothing is lost`, async () => {
      for (const quitter of [0, 1, 2]) {
        const { clock, limiter } = await rig(store, policy(1, 1000), START)
        const watch = new Watch(clock)
        const stops = [new AbortController(), new AbortController(), new AbortController()]
        await limiter.take('user')
        for (const [n, stop] of stops.entries())
          await watch.on(`${n}`, limiter.wait('user', { signal: stop.signal }))
        await watch.through([700])
        stops[quitter]?.abort(`${quitter} left`)
        await settled()
        await watch.through(every(100, 5000).filter((at) => at > 700))
        expect(watch.rejected).toEqual([[`${quitter}`, 700, `${quitter} left`]])
        expect(watch.granted.map(([waiter]) => waiter)).toEqual(
          ['0', '1', '2'].filter((n) => n !== `${quitter}`),
        )
        for (const { signal } of stops) expect(getEventListeners(signal, 'abort')).toHaveLength(0)
      }
    })
  }

  it('a large waiter that leaves lets the small ones behind it go at once', async () => {
    const { clock, limiter } = await rig(store, tokenBucket({ capacity: 5, refill: 1, per: 1000 }), START)
    const watch = new Watch(clock)
    const stop = new AbortController()
    await limiter.take('user', { cost: 5 })
    await watch.on('large', limiter.wait('user', { cost: 5, signal: stop.signal }))
    for (let n = 0; n < 3; n++) await watch.on(`small ${n}`, limiter.wait('user'))
    await watch.through([2500])
    stop.abort('gone')
    await settled()
    expect(watch.granted).toEqual([
      ['small 0', 2500],
      ['small 1', 2500],
    ])
    await watch.through([3000])
    expect(watch.granted.at(-1)).toEqual(['small 2', 3000])
  })

  it('an abort at the instant of the grant either charges or rejects, not both', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    const stop = new AbortController()
    await limiter.take('user')
    await watch.on('A', limiter.wait('user', { signal: stop.signal }))
    clock.set(START + 1000)
    stop.abort('late')
    await settled()
    expect(watch.endings).toHaveLength(1)
    expect((await limiter.take('user')).allowed).toBe(watch.granted.length === 0)
  })

  it('an abort after the grant changes nothing', async () => {
    const { limiter } = await rig(store, bucket, START)
    const stop = new AbortController()
    expect((await limiter.wait('user', { signal: stop.signal })).allowed).toBe(true)
    stop.abort('late')
    expect((await limiter.take('user')).allowed).toBe(false)
  })

  it('closing the limiter ends every wait', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    const stop = new AbortController()
    await limiter.take('user')
    for (const name of ['A', 'B', 'C']) await watch.on(name, limiter.wait('user', { signal: stop.signal }))
    await limiter.close()
    await settled()
    expect(watch.rejected.map(([name, at, code]) => [name, at, code])).toEqual(
      ['A', 'B', 'C'].map((name) => [name, 0, 'ERR_HEADGATE_CLOSED']),
    )
    expect([clock.sleepers, getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0])
  })
})

kind('wait-outlasts-its-bound', (store) => {
  it('a wait that fits its bound to the microsecond is granted, one that does not is refused at once', async () => {
    const { clock, limiter } = await rig(store, bucket, START)
    const watch = new Watch(clock)
    await limiter.take('user')
    await watch.on('too long', limiter.wait('user', { maxWaitMs: 999.999 }))
    await watch.on('fits', limiter.wait('user', { maxWaitMs: 1000 }))
    expect(watch.rejected).toEqual([['too long', 0, 'ERR_HEADGATE_WAIT_TOO_LONG']])
    await watch.through([1000])
    expect(watch.granted).toEqual([['fits', 1000]])
  })

  it('a bound of 0 is a take that rejects where it is denied', async () => {
    const { limiter } = await rig(store, bucket, START)
    expect((await limiter.wait('user', { maxWaitMs: 0 })).remaining).toBe(0)
    await expect(limiter.wait('user', { maxWaitMs: 0 })).rejects.toMatchObject({
      name: 'WaitError',
      code: 'ERR_HEADGATE_WAIT_TOO_LONG',
      decision: { allowed: false, reason: 'limit', retryAfterMs: 1000 },
    })
  })

  it('a wait never outlasts its bound, whatever others take meanwhile', async () => {
    const { clock, limiter } = await rig(store, fixedWindow({ limit: 2, window: 10_000 }), START)
    const watch = new Watch(clock)
    await limiter.take('user', { cost: 2 })
    await watch.on('patient', limiter.wait('user'))
    await watch.on('bounded', limiter.wait('user', { maxWaitMs: 12_000 }))
    clock.set(START + 10_000)
    await limiter.charge('user', 2)
    await settled()
    await watch.through([11_000, 12_000, 12_000.001])
    const late = watch.endings.filter(({ name, at }) => name === 'bounded' && at <= 12_000.001)
    expect(late, 'the bounded wait has ended').toHaveLength(1)
    await watch.through([20_000, 30_000])
    expect(watch.endings.filter(({ name }) => name === 'bounded')).toEqual(late)
  })

  it('a bound that is none is refused by its name', async () => {
    const { limiter } = await rig(store, bucket, START)
    for (const maxWaitMs of [-1, Number.NaN, '5' as unknown as number]) {
      await expect(limiter.wait('user', { maxWaitMs })).rejects.toMatchObject({
        code: 'ERR_HEADGATE_OPTION',
        field: 'maxWaitMs',
      })
    }
    expect((await limiter.take('user')).allowed).toBe(true)
  })

  it('the wait of a composed check is bounded by the longest of its limits', async () => {
    const { clock, limiter } = await composedRig(
      store,
      { a: FIXED.policy(1, 1000), b: FIXED.policy(1, 5000) },
      START,
    )
    const keys = { a: 'ann', b: 'ann' }
    const watch = new Watch(clock)
    await limiter.take(keys)
    await watch.on('too long', limiter.wait(keys, { maxWaitMs: 4999 }))
    await watch.on('fits', limiter.wait(keys, { maxWaitMs: 5000 }))
    expect(watch.rejected).toEqual([['too long', 0, 'ERR_HEADGATE_WAIT_TOO_LONG']])
    await watch.through(every(500, 5000))
    expect(watch.granted).toEqual([['fits', 5000]])
  })
})

memoryKind('wait-queue-unbounded', () => {
  it('one more than the queue holds is refused at once, and there is room when one leaves', async () => {
    const clock = new ManualClock(START)
    const limiter = new Limiter({ policy: bucket, clock, maxWaiters: 1000 })
    const watch = new Watch(clock)
    const stop = new AbortController()
    await limiter.take('user')
    for (let n = 0; n < 1000; n++) {
      limiter.wait('user', n === 500 ? { signal: stop.signal } : {}).catch(() => {})
    }
    await watch.on('1001st', limiter.wait('user'))
    expect(watch.rejected).toEqual([['1001st', 0, 'ERR_HEADGATE_WAIT_QUEUE_FULL']])
    stop.abort('gone')
    await settled()
    await watch.on('in its place', limiter.wait('user'))
    await watch.on('1001st again', limiter.wait('user'))
    expect(watch.rejected.map(([name]) => name)).toEqual(['1001st', '1001st again'])
    expect(clock.sleepers).toBeLessThanOrEqual(1)
    await limiter.close()
    await settled()
    expect(clock.sleepers).toBe(0)
  })

  it('a waiter that loses a hundred thousand rounds holds no more than one that loses none', async () => {
    const clock = new ManualClock(START)
    const store = new MemoryStore({ clock })
    const limiter = new Limiter({ name: 'api', store, policy: bucket, clock })
    const stop = new AbortController()
    limiter.takeSync('user')
    const waiting = limiter.wait('user', { signal: stop.signal })
    let lost = 0
    const lose = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        await settled()
        clock.advance(1000)
        if (limiter.takeSync('user').allowed) lost++
      }
      await settled()
    }
    await lose(2000)
    const before = heapBytes()
    await lose(100_000)
    expect(heapBytes() - before).toBeLessThan(2 ** 20)
    expect(lost).toBe(102_000)
    expect([clock.sleepers, getEventListeners(stop.signal, 'abort').length]).toEqual([1, 1])
    stop.abort('enough')
    await expect(waiting).rejects.toBe('enough')
  })
})
