/** Made when first needed: module load costs nothing. */
let constants: Uint32Array | undefined

/**
 * SHA-256 (FIPS 180-4) of a text's UTF-16 units, in hexadecimal. Here and not from the platform, for there it is asynchronous or a Node
 * module; of UTF-16 and not of UTF-8, so that texts with lone surrogates stay different.
 */
export function sha256(text: string): string {
  const words = padded(text)
  const state = roots(8, 1 / 2)
  constants ??= roots(64, 1 / 3)
  const schedule = new Uint32Array(64)
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16))
    compress(state, schedule, constants)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The text as big-endian words, then a one bit, zeros, and its length in bits. */
function padded(text: string): Uint32Array {
  const bytes = text.length * 2
  const words = new Uint32Array(((bytes + 8) >>> 6) * 16 + 16)
  const put = (index: number, unit: number): void => {
    words[index >> 1] = (words[index >> 1] as number) | (unit << (index & 1 ? 0 : 16))
  }
  for (let i = 0; i < text.length; i++) put(i, text.charCodeAt(i))
  put(text.length, 0x8000)
  words[words.length - 2] = Math.floor((bytes * 8) / 2 ** 32)
  words[words.length - 1] = bytes * 8
  return words
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
function roots(count: number, power: number): Uint32Array {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (prime) found.push((n ** power % 1) * 2 ** 32)
  }
  return Uint32Array.from(found)
}

/** Mixes one block, which is the first 16 words of the schedule, into the state. */
function compress(state: Uint32Array, schedule: Uint32Array, constants: Uint32Array): void {
  const at = (i: number): number => schedule[i] as number
  for (let i = 16; i < 64; i++) {
    const a = at(i - 15)
    const b = at(i - 2)
    const small0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const small1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    schedule[i] = at(i - 16) + small0 + at(i - 7) + small1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + at(i)) | 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (mixed[i] as number)
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
