import { Buffer } from 'node:buffer'

/**
 * Distinct keys like addresses, flat and hashed before anything is measured: what a text takes, and what flattening it costs, is no
 * limiter's doing.
 */
export function distinctKeys(count: number): string[] {
  const keys: string[] = []
  // By way of bytes: a text put together from pieces stays in pieces until somebody looks into it.
  for (let i = 0; i < count; i++)
    keys.push(Buffer.from(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`).toString('latin1'))
  new Set(keys).clear()
  return keys
}

/** Every index once, in order. */
export function eachOnce(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i)
}

/** Indices below `count` in no order, the same ones for every contender: traffic does not come sorted as its states lie in memory. */
export function scattered(length: number, count: number, seed: number): Int32Array {
  let state = seed >>> 0
  return Int32Array.from({ length }, () => {
    // Mulberry32: small, and good enough to defeat a cache.
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * count)
  })
}
