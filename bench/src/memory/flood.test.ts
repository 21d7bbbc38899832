import { expect, it } from 'vitest'
import { flood } from './flood.ts'

it('a flood is counted: what fits is admitted, the rest is refused, and no denial is lost', () => {
  expect(flood({ maxKeys: 50, newKeys: 200, denials: 5 })).toMatchObject({
    admitted: 45,
    refused: 155,
    keysHeld: 50,
    denialsKept: 5,
    events: expect.toSatisfy((events: number) => events >= 1),
  })
})
