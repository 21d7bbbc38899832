/** Counts over time, in columns of one width. */
export interface Columns {
  readonly columnMs: number
  /** Where the first column begins, in epoch milliseconds. */
  readonly fromMs: number
  /** A row for each series that was counted. */
  readonly rows: readonly (readonly number[])[]
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How finely is counted: each width is a multiple of the one before, so that columns only ever need adding up. */
const COUNTED = [
  1,
  10,
  100,
  SECOND,
  10 * SECOND,
  MINUTE,
  10 * MINUTE,
  HOUR,
  12 * HOUR,
  DAY,
  10 * DAY,
  100 * DAY,
  1000 * DAY,
]

/** What a column may stand for in a picture. */
const SHOWN = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((n) => n * HOUR),
  ...[1, 2, 3, 5, 7, 10, 20, 30, 50, 100, 200, 500, 1000].map((n) => n * DAY),
]

const MAX_COUNTED = 2048

/** Counts several series over a stretch of time that nobody knows beforehand, in bounded memory: where it grows, columns are joined. */
export class Timeline {
  readonly #bins = new Map<number, Float64Array>()
  readonly #series: number
  #level = 0
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  constructor(series: number) {
    this.#series = series
  }

  add(timeMs: number, series: number): void {
    let column = Math.floor(timeMs / this.#widthMs)
    if (column < this.#first || column > this.#last) column = this.#reach(timeMs)
    const bin = this.#bins.get(column) ?? this.#newBin(column)
    bin[series] = (bin[series] ?? 0) + 1
  }

  /** All of it in at most `most` columns of the narrowest width that fits. */
  columns(most: number): Columns {
    const fromMs = this.#first * this.#widthMs
    const untilMs = this.#last * this.#widthMs
    const fits = (ms: number): boolean =>
      ms % this.#widthMs === 0 && Math.floor(untilMs / ms) - Math.floor(fromMs / ms) < most
    const columnMs = SHOWN.find(fits) ?? 1000 * DAY
    const first = Math.floor(fromMs / columnMs)
    const length = Math.floor(untilMs / columnMs) - first + 1
    const rows = Array.from({ length: this.#series }, () => new Array<number>(length).fill(0))
    for (const [column, bin] of this.#bins) {
      const at = Math.floor((column * this.#widthMs) / columnMs) - first
      for (const [series, count] of bin.entries()) {
        const row = rows[series]
        if (row) row[at] = (row[at] ?? 0) + count
      }
    }
    return { columnMs, fromMs: first * columnMs, rows }
  }

  get #widthMs(): number {
    return COUNTED[this.#level] ?? 1000 * DAY
  }

  #reach(timeMs: number): number {
    for (;;) {
      const column = Math.floor(timeMs / this.#widthMs)
      const first = Math.min(this.#first, column)
      const last = Math.max(this.#last, column)
      if (last - first < MAX_COUNTED || this.#level === COUNTED.length - 1) {
        this.#first = first
        this.#last = last
        return column
      }
      this.#coarsen()
    }
  }

  #coarsen(): void {
    const factor = (COUNTED[this.#level + 1] ?? 1) / this.#widthMs
    const fine = [...this.#bins]
    this.#bins.clear()
    this.#level++
    this.#first = Math.floor(this.#first / factor)
    this.#last = Math.floor(this.#last / factor)
    for (const [column, counts] of fine) {
      const at = Math.floor(column / factor)
      const bin = this.#bins.get(at) ?? this.#newBin(at)
      for (const [series, count] of counts.entries()) bin[series] = (bin[series] ?? 0) + count
    }
  }

  #newBin(column: number): Float64Array {
    const bin = new Float64Array(this.#series)
    this.#bins.set(column, bin)
    return bin
  }
}
