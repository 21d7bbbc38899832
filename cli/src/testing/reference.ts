/**
 * The algorithms once more, written from their definitions with whole numbers of any size, the slow way, and sharing nothing with the
 * library: what a replay says is held against these.
 */

/** Says whether one more unit is admitted at an instant, and if so remembers it. */
export type Reference = (timeMs: bigint) => boolean

export function fixedWindow(limit: bigint, windowMs: bigint, toEpoch = false): Reference {
  let start: bigint | undefined
  let count = 0n
  return (timeMs) => {
    if (start === undefined || timeMs >= start + windowMs) {
      start = toEpoch ? timeMs - (timeMs % windowMs) : timeMs
      count = 0n
    }
    if (count >= limit) return false
    count++
    return true
  }
}

/** Keeps what each aligned window admitted, and weighs the one before by how much of it is still in view. */
export function slidingWindow(limit: bigint, windowMs: bigint, strict = false): Reference {
  const admitted = new Map<bigint, bigint>()
  return (timeMs) => {
    const index = timeMs / windowMs
    const current = admitted.get(index) ?? 0n
    const inViewMs = (index + 1n) * windowMs - timeMs
    const weighed = (admitted.get(index - 1n) ?? 0n) * inViewMs
    const previous = strict ? (weighed + windowMs - 1n) / windowMs : weighed / windowMs
    if (current + previous >= limit) return false
    admitted.set(index, current + 1n)
    return true
  }
}

export function slidingLog(limit: bigint, windowMs: bigint): Reference {
  const admitted: bigint[] = []
  return (timeMs) => {
    const inView = admitted.filter((at) => at > timeMs - windowMs)
    if (BigInt(inView.length) >= limit) return false
    admitted.push(timeMs)
    return true
  }
}

/** Holds its level times the period, so that a part of a unit is a whole number. GCRA with a burst is the same bucket. */
export function tokenBucket(capacity: bigint, refill: bigint, perMs: bigint): Reference {
  let level = capacity * perMs
  let atMs: bigint | undefined
  return (timeMs) => {
    level += refill * (timeMs - (atMs ?? timeMs))
    if (level > capacity * perMs) level = capacity * perMs
    atMs = timeMs
    if (level < perMs) return false
    level -= perMs
    return true
  }
}
