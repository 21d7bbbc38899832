import { describe, expect, it } from 'vitest'
import { bytesToText, printable, showCount, showDuration, showInstant, showShare, showSpan } from './text.ts'

describe('numbers to read', () => {
  it('groups digits, and shares nothing of nothing', () => {
    expect(showCount(1_234_567)).toBe('1,234,567')
    expect(showShare(931, 10_000)).toBe('9.31 %')
    expect(showShare(0, 0)).toBe('0.00 %')
  })

  it.each([
    [1, '1ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [1_500, '1.5s'],
    [60_000, '1m'],
    [90_000, '90s'],
    [3_600_000, '1h'],
    [86_400_000, '1d'],
    [100.5, '100.5ms'],
  ])('tells a duration of %d ms as it would be typed: %s', (ms, text) => {
    expect(showDuration(ms)).toBe(text)
  })

  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [298_859_000, '3 d 11 h'],
    [86_460_000, '1 d'],
  ])('tells a span of %d ms: %s', (ms, text) => {
    expect(showSpan(ms)).toBe(text)
  })

  it('tells an instant in UTC', () => {
    expect(showInstant(1_431_857_103_999)).toBe('2015-05-17 10:05:03')
  })
})

describe('foreign text', () => {
  it('can not steer a terminal, hide or turn around', () => {
    expect(printable('a\u001b[31mb\u0007\u009b1m\u007f')).toBe('a\\x1b[31mb\\x07\\x9b1m\\x7f')
    expect(printable('\u202egnp.exe\u200b\ud800')).toBe('\\u{202e}gnp.exe\\u{200b}\\u{d800}')
    expect(printable('über 日本 👩')).toBe('über 日本 👩')
  })

  it('is cut to the width it gets, however long it is', () => {
    expect(printable('x'.repeat(50), 10)).toBe('xxxxxxxxx…')
    expect(printable('\u0000'.repeat(1_000_000), 10)).toHaveLength(10)
  })

  it('stays apart when its bytes are no UTF-8', () => {
    expect(bytesToText(Buffer.from('é'))).toBe('é')
    expect(bytesToText(Buffer.from([0xe9]))).toBe('é')
    expect(bytesToText(Buffer.from([0xff]))).not.toBe(bytesToText(Buffer.from([0xfe])))
  })
})
