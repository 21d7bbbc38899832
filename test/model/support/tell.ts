import type { Event } from './play.ts'

/** An event as one line of a failure's story. */
export function tell(event: Event): string {
  const at = `${Number(event.nowMicros) / 1000} ms`
  const keys = Object.entries(event.keys)
    .map(([policy, key]) => `${policy}:${key}`)
    .join(' ')
  switch (event.kind) {
    case 'reset':
      return `${at}  reset ${keys}`
    case 'refund':
      return `${at}  refund ${event.receipt} ${event.units ?? 'all'} of ${event.charged.cost} gave ${event.returned}`
    case 'charge':
      return `${at}  charge ${keys} ${event.units}: ${JSON.stringify(event.decision)}`
    default:
      return `${at}  ${event.kind} ${keys} cost ${event.cost}${event.receipt ? ` as ${event.receipt}` : ''}: ${JSON.stringify(event.decision)}`
  }
}
