import type { Event } from './play.ts'

/** Units that came in (an admission) or went back (a refund, below zero), at their instant. */
export interface Movement {
  readonly atMicros: bigint
  readonly units: bigint
  /** Of an admission the reset it reported; of a refund that of its charge. Infinity past the horizon. */
  readonly resetAtMs: number
}

/** What a trace of one policy moved. Debt is not an admission: nobody was let in for it. */
export function movementsOf(events: readonly Event[]): Movement[] {
  return events.flatMap((event): Movement[] => {
    if (event.kind === 'take' && event.decision.allowed && event.cost > 0) {
      const { resetAtMs } = event.decision
      return [{ atMicros: event.nowMicros, units: BigInt(event.cost), resetAtMs }]
    }
    if (event.kind === 'refund' && event.returned > 0) {
      const { resetAtMs } = event.charged.decision
      return [{ atMicros: event.nowMicros, units: -BigInt(event.returned), resetAtMs }]
    }
    return []
  })
}

/** What each admission keeps in the end: its units without those that its own receipt gave back. */
export function keptOf(events: readonly Event[]): Movement[] {
  return events.flatMap((event): Movement[] => {
    if (event.kind !== 'take' || !event.decision.allowed || event.cost === 0) return []
    const back = events.reduce(
      (sum, other) => (other.kind === 'refund' && other.charged === event ? sum + other.returned : sum),
      0,
    )
    const { resetAtMs } = event.decision
    return [{ atMicros: event.nowMicros, units: BigInt(event.cost - back), resetAtMs }]
  })
}

/** Every run of movements in a row, from its first to its last, with the units it adds up to. */
export function* runsOf(
  movements: readonly Movement[],
): Generator<{ first: Movement; last: Movement; units: bigint }> {
  for (const [index, first] of movements.entries()) {
    let units = 0n
    for (const last of movements.slice(index)) {
      units += last.units
      yield { first, last, units }
    }
  }
}
