import { expect, it } from 'vitest'
import { keyChoice, pathOf } from './key-choice.ts'

it.each([
  ['/a/b', '/a/b'],
  ['/a?x=1#y', '/a'],
  ['/a#y?x', '/a'],
  ['http://example.com:80/a?x', '/a'],
  ['https://example.com', '/'],
  ['?x', '/'],
  ['*', '*'],
  ['example.com:443', 'example.com:443'],
  ['/go/http://other/', '/go/http://other/'],
  ['', undefined],
])('finds in the target %s the path %s', (target, path) => {
  expect(pathOf(target)).toBe(path)
})

it.each(['', 'a b', 'ip+', 'path+ip', 'a..b', '.a', 'x'.repeat(201)])('knows no key %j', (name) => {
  expect(() => keyChoice(name)).toThrow(/^--key must be ip, path, ip\+path or a field of a JSON log/)
})
