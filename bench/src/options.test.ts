import { describe, expect, it } from 'vitest'
import { namesOf, UsageError, wholeNumbers } from './options.ts'

describe('whole numbers', () => {
  it('are read with commas between', () => {
    expect(wholeNumbers('keys', '10,2000', 1, 5000)).toEqual([10, 2000])
  })

  it.each(['', '0', '1.5', '10,', '6000', 'x', '1e3'])('are not %j', (text) => {
    expect(() => wholeNumbers('keys', text, 1, 5000)).toThrow(UsageError)
  })
})

describe('names', () => {
  const all = [{ name: 'headgate log' }, { name: 'headgate gcra' }, { name: 'limiter' }]

  it('are chosen by a part of them, all by an empty one', () => {
    expect(namesOf('only', 'log,limiter', all).map(({ name }) => name)).toEqual(['headgate log', 'limiter'])
    expect(namesOf('only', '', all)).toEqual(all)
  })

  it('are all told where one is in none', () => {
    expect(() => namesOf('only', 'log,nobody', all)).toThrow(
      '--only takes parts of these names: headgate log, headgate gcra, limiter; "nobody" is in none.',
    )
  })
})
