import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it, vi } from 'vitest'
import { runRounds } from './rounds.ts'

// The sources, as in all tests: what is built may be older.
beforeAll(() => {
  vi.stubEnv('TSX_TSCONFIG_PATH', fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)))
  return () => vi.unstubAllEnvs()
})

it('each contender is measured once in each round, in a process of its own', async () => {
  const names = ['headgate fixed window', 'hitlimit']
  const rounds = await runRounds({ contenders: names, keys: 40, rounds: 2, chunk: 40, chunks: 1 })
  expect([...rounds.keys()]).toEqual(names)
  for (const measured of rounds.values()) {
    expect(measured).toHaveLength(2)
    for (const one of measured) {
      expect(Object.keys(one).sort()).toEqual(['admittedNs', 'bytesPerKey', 'deniedNs'])
      for (const value of Object.values(one)) expect(value).toBeTypeOf('number')
    }
  }
})

it('a measurement that fails says so', async () => {
  const plan = { contenders: ['nobody'], keys: 4, rounds: 1, chunk: 4, chunks: 1 }
  await expect(runRounds(plan)).rejects.toThrow('a measurement failed with 1')
})
