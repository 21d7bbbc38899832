import { describe, expect, it } from 'vitest'
import { grouped, rounded, tableOf } from './table.ts'

describe('a table', () => {
  it('has names on the left and numbers under one another', () => {
    const rows = [
      ['a long name', '5'],
      ['b', '1,000'],
    ]
    expect(tableOf(['', 'ns'], rows).split('\n')).toEqual([
      '                ns',
      '-----------  -----',
      'a long name      5',
      'b            1,000',
    ])
  })
})

describe('figures', () => {
  it('are grouped by thousands', () => {
    expect([0, 999.6, 1_234_567].map(grouped)).toEqual(['0', '1,000', '1,234,567'])
  })

  it('have no more digits than can be trusted', () => {
    expect([0.814, 4.2, 31.46, 512.7].map(rounded)).toEqual(['0.81', '4.20', '31.5', '513'])
  })
})
