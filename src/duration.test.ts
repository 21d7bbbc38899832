import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Duration, durationMs } from './duration.ts'
import { PolicyError } from './errors.ts'

describe('a duration', () => {
  it.each([
    [250, 250],
    ['250ms', 250],
    ['1.5s', 1500],
    ['0.29s', 290],
    ['1m', 60_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['0.00001157407407d', Number.NaN],
    ['366d', 31_622_400_000],
    ['1ms', 1],
    ['0.5m', 30_000],
    ['007s', 7000],
  ])('%s is %d ms', (given, ms) => {
    if (Number.isNaN(ms)) expect(() => durationMs('window', given)).toThrow(PolicyError)
    else expect(durationMs('window', given)).toBe(ms)
  })

  it('is counted in whole numbers, whatever its decimals are in doubles', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3600 }),
        fc.integer({ min: 1, max: 999 }),
        (seconds, thousandths) => {
          const text = `${seconds}.${String(thousandths).padStart(3, '0')}s`
          expect(durationMs('window', text)).toBe(seconds * 1000 + thousandths)
        },
      ),
    )
  })

  it.each([
    [0],
    [-5],
    [0.5],
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [31_622_400_001],
    ['367d'],
    ['0s'],
    ['-1s'],
    ['1'],
    ['1 s'],
    [' 1s'],
    ['1e3ms'],
    ['1.s'],
    ['.5s'],
    ['0.5ms'],
    ['1w'],
    ['1S'],
    ['1s\n'],
    ['٣s'],
    [''],
    [null],
    [undefined],
    [true],
    [1000n],
    [{}],
    [['1s']],
  ])('%s is refused by the name of its field, its value and the rule', (given) => {
    const refused = (): number => durationMs('window', given)
    expect(refused).toThrow(/^window must be whole milliseconds from 1 ms to 366 days, .*; it is /)
    expect(refused).toThrow(
      expect.objectContaining({ code: 'ERR_HEADGATE_DURATION', field: 'window', value: given }),
    )
  })

  it('is checked by the compiler where it is text', () => {
    expectTypeOf<'1.5s'>().toExtend<Duration>()
    expectTypeOf<'1d'>().toExtend<Duration>()
    expectTypeOf<'1w'>().not.toExtend<Duration>()
    expectTypeOf<'soon'>().not.toExtend<Duration>()
  })
})
