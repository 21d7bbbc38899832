import { expect, it } from 'vitest'
import { EventBatch, tagOf } from './event-batch.ts'
import { EventQueue } from './event-queue.ts'
import { Spool } from './spool.ts'

it('gives back every request in its order, as often as it is asked', async () => {
  const count = 3 * EventBatch.CAPACITY + 17
  const spool = await Spool.create()
  const queue = new EventQueue()
  for (let i = 0; i < count; i++) {
    queue.push(i * 1.5, tagOf(i, i % 3 === 0))
    if (i % 40_000 === 0) await queue.drain((batch) => spool.write(batch))
  }
  await queue.drain((batch) => spool.write(batch), true)
  expect(spool.size).toBe(count)
  for (let pass = 0; pass < 2; pass++) {
    let at = 0
    let wrong = 0
    for await (const batch of spool.batches()) {
      for (let i = 0; i < batch.size; i++, at++) {
        const isRight =
          batch.timeMs(i) === at * 1.5 && batch.keyId(i) === at && batch.isFree(i) === (at % 3 === 0)
        if (!isRight) wrong++
      }
    }
    expect({ at, wrong }).toEqual({ at: count, wrong: 0 })
  }
  await spool.close()
})

it('tells keys apart up to the largest number', () => {
  const batch = new EventBatch()
  batch.push(0, tagOf(2 ** 31 - 1, true))
  expect([batch.keyId(0), batch.isFree(0)]).toEqual([2 ** 31 - 1, true])
})
