import { describe, expect, it } from 'vitest'
import type { Contender } from './contenders.ts'
import type { Measured } from './measure.ts'
import { reportOf } from './report.ts'
import { rowsOf } from './rows.ts'

const contender = (name: string, ours: boolean): Contender => ({
  name,
  packageName: name,
  call: `${name}()`,
  ours,
  start: () => ({ run: () => 0 }),
})
const measured = (admittedNs: number, deniedNs: number, bytesPerKey: number): Measured => ({
  admittedNs,
  deniedNs,
  bytesPerKey,
})

const all = [contender('ours', true), contender('quick', false), contender('lean', false)]
const rows = rowsOf(
  all,
  1_000,
  new Map([
    ['ours', [measured(100, 50, 60), measured(300, 150, 60)]],
    ['quick', [measured(50, 100, 120), measured(150, 300, 120)]],
    ['lean', [measured(400, 400, 40), measured(1_200, 1_200, 40)]],
  ]),
)
const row = (name: string, measure: string) =>
  rows.find((one) => one.contender === name && one.measure === measure)

describe('rows', () => {
  it('are one for each contender and measure', () => {
    expect(rows).toHaveLength(9)
    expect(row('ours', 'admitted')).toMatchObject({
      bench: 'memory',
      call: 'ours()',
      keys: 1_000,
      unit: 'ns/decision',
      value: { median: 200, low: 100, high: 300 },
    })
    expect(row('lean', 'bytes')).toMatchObject({ unit: 'bytes/key', value: { median: 40 } })
  })

  it('say of speed how many times as fast, of bytes how much of it', () => {
    expect(row('ours', 'admitted')?.ratios['quick']?.median).toBe(0.5)
    expect(row('ours', 'denied')?.ratios['quick']?.median).toBe(2)
    expect(row('ours', 'bytes')?.ratios['quick']?.median).toBe(0.5)
    expect(row('ours', 'bytes')?.ratios['lean']?.median).toBe(1.5)
  })

  it('name the rival that is best at each', () => {
    expect(['admitted', 'denied', 'bytes'].map((measure) => row('ours', measure)?.bestRival)).toEqual([
      'quick',
      'quick',
      'lean',
    ])
  })

  it('survive as JSON', () => {
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
  })

  it('are shown with the best first', () => {
    const [admitted = ''] = reportOf(rows).split('\n\n')
    const [title, , , ...lines] = admitted.split('\n')
    expect(title).toContain('1,000 keys, admitted')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['quick', 'ours', 'lean'])
  })
})
