import { expect, it } from 'vitest'
import { withoutMessage } from './without-message.ts'

it('tells what kind of error, and where, and repeats nothing of its message', () => {
  const error = Object.assign(new TypeError('key secret\n    at secret (secret.ts:1:1)'), { code: 'ERR_X' })
  const line = withoutMessage(error)
  expect(line).toMatch(/^TypeError ERR_X at .*without-message\.test\.ts/)
  expect(line).not.toContain('secret')
  expect(line).not.toContain('\n')
})

it('repeats nothing of a stack that it can not tell from the message', () => {
  const error = new Error('secret')
  error.stack = 'Error: another secret\n    at secret'
  expect(withoutMessage(error)).toBe('Error')
})

it('tells of what is no error at least that', () => {
  expect(withoutMessage('secret')).toBe('a thrown string')
  expect(withoutMessage(undefined)).toBe('a thrown undefined')
})
