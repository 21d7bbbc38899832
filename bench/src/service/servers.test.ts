import { expect, it } from 'vitest'
import { startBare } from './servers.ts'

it('the bare route answers with what it was given, and ends when it is told to', async () => {
  const answer = { allowed: true, limit: 100 }
  const server = await startBare(answer)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.origin}/v1/take`, { method: 'POST', headers, body: '{}' })
  expect(await response.json()).toEqual(answer)
  await server.stop()
})
