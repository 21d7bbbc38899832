/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A seed for this run: a new one each time, or `HEADGATE_SEED` to see a failure again. */
export function seedForRun(): number {
  const given = process.env['HEADGATE_SEED']
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given)
}

/** What to say when a random test fails. */
export function replayHint(seed: number): string {
  return `seed ${seed}; see it again with HEADGATE_SEED=${seed}`
}
