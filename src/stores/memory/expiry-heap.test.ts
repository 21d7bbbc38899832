import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExpiryHeap } from './expiry-heap.ts'

const step = fc.record({ act: fc.constantFrom('add', 'move', 'remove'), slot: fc.nat(40), due: fc.nat(20) })

it('the slot at hand is always one that is due first, however slots come, move and go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new ExpiryHeap()
      const held = new Map<number, number>()
      for (const { act, slot, due } of steps) {
        if (act === 'add' && !held.has(slot)) {
          heap.add(slot, due)
          held.set(slot, due)
        } else if (act === 'move' && held.has(slot)) {
          heap.move(slot, due)
          held.set(slot, due)
        } else if (act === 'remove' && held.delete(slot)) {
          heap.remove(slot)
        }
        const first = heap.first
        expect(heap.size).toBe(held.size)
        if (first === undefined) expect(held.size).toBe(0)
        else expect(held.get(first)).toBe(Math.min(...held.values()))
        for (const [known, at] of held) expect(heap.dueOf(known)).toBe(at)
      }
    }),
    { numRuns: 2000 },
  )
})
