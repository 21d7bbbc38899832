import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memorySubject } from '../model/support/subject.ts'
import { runTable } from './run-table.ts'
import type { GoldenTable } from './table.ts'
import { goldenFiles, TABLES } from './tables/index.ts'

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

describe('the golden tables are what the library decides', () => {
  for (const name of Object.keys(TABLES)) {
    it(`${name}.json, in memory`, () =>
      runTable(JSON.parse(textOf(`${name}.json`)) as GoldenTable, memorySubject))
  }
})

describe('the golden tables are what exact integers say', () => {
  const files = goldenFiles()

  it('each file is there, and no other', () => {
    const found = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.json'))
    expect(found.sort()).toEqual([...files.keys()].sort())
  })

  for (const [file, text] of files) {
    it(`${file} is byte for byte what the oracle writes`, () => {
      expect(textOf(file) === text).toBe(true)
    })
  }
})
