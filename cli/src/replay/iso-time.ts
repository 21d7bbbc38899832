const PATTERN = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|([+-])(\d\d):?(\d\d))$/

/** Epoch milliseconds of `2015-05-17T10:05:03.25+00:00`, to the microsecond; undefined where it is not one. It needs its zone. */
export function isoTimeMs(text: string): number | undefined {
  const match = PATTERN.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second] = match.map(Number) as number[]
  if (year === undefined || month === undefined || day === undefined) return undefined
  const dayMs = dayStartMs(year, month - 1, day)
  // A leap second is written as 60.
  if (dayMs === undefined || !(Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61))
    return undefined
  const zoneMinutes = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)
  const aheadMs = (match[8] === '-' ? -zoneMinutes : zoneMinutes) * 60_000
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  return dayMs + seconds * 1000 + Math.round(Number(match[7] ?? 0) * 1e6) / 1000 - aheadMs
}

/** Where a day of the calendar begins in UTC; undefined where there is no such day. `month` counts from 0. */
export function dayStartMs(year: number, month: number | undefined, day: number): number | undefined {
  if (month === undefined || !(year >= 1000) || !(day >= 1)) return undefined
  const ms = Date.UTC(year, month, day)
  const date = new Date(ms)
  return date.getUTCDate() === day && date.getUTCMonth() === month ? ms : undefined
}
