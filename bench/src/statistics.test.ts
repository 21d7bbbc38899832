import { describe, expect, it } from 'vitest'
import { ratiosOf, spreadOf } from './statistics.ts'

describe('a spread', () => {
  it('is the middle one and the two ends, in whatever order they came', () => {
    expect(spreadOf([30, 5, 10])).toEqual({ median: 10, low: 5, high: 30 })
    expect(spreadOf([7])).toEqual({ median: 7, low: 7, high: 7 })
  })

  it('has between two middle ones their mean', () => {
    expect(spreadOf([4, 1, 100, 2])).toEqual({ median: 3, low: 1, high: 100 })
  })

  it('sorts numbers as numbers and leaves the list as it was', () => {
    const values = [100, 9, 20]
    expect(spreadOf(values).median).toBe(20)
    expect(values).toEqual([100, 9, 20])
  })

  it('is none of no measurements', () => {
    expect(() => spreadOf([])).toThrow(RangeError)
  })
})

describe('ratios', () => {
  it('are taken round by round, so that a slow round changes nothing', () => {
    expect(ratiosOf([20, 200, 40], [10, 100, 20])).toEqual({ median: 2, low: 2, high: 2 })
  })

  it('need a pair for each', () => {
    expect(() => ratiosOf([1, 2], [1])).toThrow(RangeError)
  })
})
