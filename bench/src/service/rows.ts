import { ratiosOf, type Spread, spreadOf } from '../statistics.ts'
import { grouped, rounded, tableOf } from '../table.ts'

/** Requests a second of each, round by round. */
export interface Both {
  readonly service: number[]
  readonly bare: number[]
}

/** One server's requests a second, and what share of the bare route's that is. */
export interface Row {
  readonly bench: 'service'
  readonly contender: string
  readonly unit: 'requests/s'
  readonly value: Spread
  readonly ratios: { readonly 'bare fastify route': Spread }
}

export function rowsOf({ service, bare }: Both): Row[] {
  const row = (contender: string, own: readonly number[]): Row => ({
    bench: 'service',
    contender,
    unit: 'requests/s',
    value: spreadOf(own),
    ratios: { 'bare fastify route': ratiosOf(own, bare) },
  })
  return [row('headgate serve', service), row('bare fastify route', bare)]
}

export function reportOf(rows: readonly Row[]): string {
  const lines = rows.map(({ contender, value, ratios }) => [
    contender,
    grouped(value.median),
    `${grouped(value.low)}–${grouped(value.high)}`,
    rounded(ratios['bare fastify route'].median),
  ])
  return `POST /v1/take: requests/s, and what share of the bare route's that is\n${tableOf(['', 'median', 'range', 'share'], lines)}`
}
