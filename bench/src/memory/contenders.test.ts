import { describe, expect, it } from 'vitest'
import { contenders } from './contenders.ts'
import { distinctKeys, eachOnce, scattered } from './keys.ts'

describe.each(contenders.map((contender) => [contender.name, contender] as const))(
  '%s',
  (_name, contender) => {
    it('admits exactly its limit of each key', async () => {
      const session = contender.start(3)
      const [a, b] = [0, 1]
      expect(await session.run(['a', 'b'], Int32Array.of(a, a, b, a, a, b, a, b, b))).toBe(6)
      expect(await session.run(['a', 'b'], Int32Array.of(a, b))).toBe(0)
      expect(await session.run(['c'], Int32Array.of(0, 0))).toBe(2)
    })

    it('keeps apart what it was started for', async () => {
      const sessions = [contender.start(1), contender.start(1)]
      for (const session of sessions) expect(await session.run(['a'], Int32Array.of(0, 0))).toBe(1)
    })
  },
)

describe('keys', () => {
  it('are distinct, also past 65,536', () => {
    expect(new Set(distinctKeys(70_000)).size).toBe(70_000)
  })

  it('are asked for in an order that is the same each time and reaches all of them', () => {
    expect(scattered(1_000, 16, 7)).toEqual(scattered(1_000, 16, 7))
    expect(scattered(1_000, 16, 7)).not.toEqual(scattered(1_000, 16, 8))
    expect(new Set(scattered(1_000, 16, 7))).toEqual(new Set(eachOnce(16)))
  })
})
