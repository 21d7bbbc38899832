import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Due, ExpiryHeap } from './expiry-heap.ts'

const step = fc.record({ act: fc.constantFrom('add', 'move', 'remove'), name: fc.nat(40), due: fc.nat(20) })

it('what is at hand is always due first, however things come, move and go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new ExpiryHeap<Due>()
      const held = new Map<number, Due>()
      for (const { act, name, due } of steps) {
        const one = held.get(name)
        if (act === 'add' && !one) {
          const added = { dueMicros: due, position: 0 }
          heap.add(added)
          held.set(name, added)
        } else if (act === 'move' && one) {
          heap.move(one, due)
          expect(one.dueMicros).toBe(due)
        } else if (act === 'remove' && one) {
          heap.remove(one)
          held.delete(name)
        }
        const dues = Array.from(held.values(), ({ dueMicros }) => dueMicros)
        expect(heap.size).toBe(held.size)
        if (heap.first === undefined) expect(held.size).toBe(0)
        else expect(heap.first.dueMicros).toBe(Math.min(...dues))
        expect(Array.from(held.values(), ({ position }) => position).sort((a, b) => a - b)).toEqual([
          ...dues.keys(),
        ])
      }
    }),
    { numRuns: 2000 },
  )
})
