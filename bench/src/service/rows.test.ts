import { expect, it } from 'vitest'
import { reportOf, rowsOf } from './rows.ts'

it('the service is told as a share of the bare route, round by round', () => {
  const rows = rowsOf({ service: [750, 75], bare: [1_000, 100] })
  expect(rows.map(({ contender, ratios }) => [contender, ratios['bare fastify route'].median])).toEqual([
    ['headgate serve', 0.75],
    ['bare fastify route', 1],
  ])
  expect(reportOf(rows)).toMatch(/headgate serve +413 +75–750 +0\.75/)
})
