import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storedKey } from './key.ts'
import { sha256 } from './sha256.ts'

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  maxLength: 400,
})

describe('the name a key is kept under', () => {
  it('is the key itself up to 256 UTF-16 units, and its hash beyond', () => {
    expect(storedKey('x'.repeat(256), '')).toBe('x'.repeat(256))
    expect(storedKey('x'.repeat(257), '')).toBe(`\0sha256:${sha256('x'.repeat(257))}`)
    expect(storedKey('x'.repeat(2 ** 20), '').length).toBeLessThan(256)
  })

  it('is no other key, even one that is spelled like a hash', () => {
    const long = 'x'.repeat(300)
    const name = storedKey(long, '')
    expect(storedKey(name, '')).not.toBe(name)
    expect(storedKey(`${long}y`, '')).not.toBe(name)
  })

  it.each([undefined, null, '', 42, {}, ['a'], Object.create(null)])('%j is refused', (key) => {
    expect(() => storedKey(key, '.ip')).toThrow(
      expect.objectContaining({ code: 'ERR_HEADGATE_KEY', field: 'key.ip' }),
    )
  })
})

describe('sha256', () => {
  it('is the platform’s own of the same UTF-16 units, at every length and for lone surrogates', () => {
    const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
    const agrees = (text: string): void => {
      expect(sha256(text)).toBe(createHash('sha256').update(bigEndian(text)).digest('hex'))
    }
    for (let length = 0; length < 200; length++) agrees('é'.repeat(length))
    fc.assert(fc.property(anyText, agrees))
  })
})
