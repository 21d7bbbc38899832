import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReceiptError } from './errors.ts'
import { type Receipt, readReceipt, writeReceipt } from './receipt.ts'

const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
const part = fc.tuple(
  text,
  fc.constant('gcra:1000:1:'),
  text,
  fc.nat(1e9),
  fc.nat(255),
  fc.integer({ min: 0, max: 2 ** 52 }),
  fc.option(fc.integer({ min: 0, max: 2 ** 52 })),
)
const head = fc.tuple(text, text, text, fc.nat(1e9))
const receipt: fc.Arbitrary<Receipt> = fc
  .tuple(head, fc.array(part, { minLength: 1, maxLength: 5 }))
  .map(([first, parts]) => [first, ...parts])

describe('a receipt', () => {
  it('is read as it was written, whatever its texts are', () => {
    fc.assert(
      fc.property(receipt, (given) => {
        expect(readReceipt(writeReceipt(given))).toEqual(given)
      }),
    )
  })

  it('is text that passes through URLs and headers', () => {
    fc.assert(fc.property(receipt, (given) => /^[\w.-]+$/.test(writeReceipt(given))))
  })

  it('is refused when it is cut', () => {
    fc.assert(
      fc.property(receipt, fc.nat(), (given, cut) => {
        const whole = writeReceipt(given)
        expect(() => readReceipt(whole.slice(0, cut % whole.length))).toThrow(ReceiptError)
      }),
    )
  })

  it.each([
    undefined,
    null,
    42,
    {},
    '',
    'hg1.',
    'hg1.e30',
    'hg1.W10',
    'hg2.W10',
    `hg1.${btoa('[["a","b","c",1]]')}`,
    `hg1.${btoa('[["a","b","c",1.5],["p","s","k",1,0,0,0]]')}`,
    `hg1.${btoa('[["a","b","c",1],["p","s","k",1,0,"0",0]]')}`,
    `hg1.${btoa('[["a","b","c",1],["p","s",7,1,0,0,0]]')}`,
    `hg1.${btoa('[["a","b","c",1],["p","s","k",1,0,0,{}]]')}`,
    `hg1.${btoa('{"0":"a"}')}`,
  ])('%j is none', (given) => {
    expect(() => readReceipt(given)).toThrow(ReceiptError)
  })
})
