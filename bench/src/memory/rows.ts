import { ratiosOf, type Spread, spreadOf } from '../statistics.ts'
import type { Contender } from './contenders.ts'
import type { Measured } from './measure.ts'
import type { Rounds } from './rounds.ts'

export const MEASURES = ['admitted', 'denied', 'bytes'] as const
export type Measure = (typeof MEASURES)[number]

/** One figure of one contender, with what it is beside the others'. */
export interface Row {
  readonly bench: 'memory'
  readonly contender: string
  readonly call: string
  readonly keys: number
  readonly measure: Measure
  readonly unit: 'ns/decision' | 'bytes/key'
  readonly value: Spread
  /** The rival that is best at this. */
  readonly bestRival: string | undefined
  /** Of speed: theirs over its own, so that 1 is as fast and more is faster. Of bytes: its own over theirs, so that less is leaner. */
  readonly ratios: { readonly [rival: string]: Spread }
}

const readers: { readonly [M in Measure]: (measured: Measured) => number } = {
  admitted: ({ admittedNs }) => admittedNs,
  denied: ({ deniedNs }) => deniedNs,
  bytes: ({ bytesPerKey }) => bytesPerKey,
}

export function rowsOf(contenders: readonly Contender[], keys: number, rounds: Rounds): Row[] {
  return MEASURES.flatMap((measure) => {
    const values = new Map<string, number[]>()
    for (const { name } of contenders) values.set(name, (rounds.get(name) ?? []).map(readers[measure]))
    const rivals = contenders.filter(({ ours }) => !ours).map(({ name }) => name)
    const bestRival = rivals.toSorted((a, b) => medianIn(values, a) - medianIn(values, b))[0]
    return contenders.map(({ name, call }): Row => {
      const own = values.get(name) as number[]
      const ratios = Object.fromEntries(
        rivals.map((rival) => {
          const theirs = values.get(rival) as number[]
          return [rival, measure === 'bytes' ? ratiosOf(own, theirs) : ratiosOf(theirs, own)]
        }),
      )
      const unit = measure === 'bytes' ? 'bytes/key' : 'ns/decision'
      return {
        bench: 'memory',
        contender: name,
        call,
        keys,
        measure,
        unit,
        value: spreadOf(own),
        bestRival,
        ratios,
      }
    })
  })
}

function medianIn(values: ReadonlyMap<string, readonly number[]>, name: string): number {
  return spreadOf(values.get(name) as readonly number[]).median
}
