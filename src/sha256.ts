/** Made when first needed: module load costs nothing. */
let constants: Uint32Array | undefined

/**
 * SHA-256 (FIPS 180-4) of a text's UTF-16 units, in hexadecimal. Here and not from the platform, for there it is asynchronous or a Node
 * module; of UTF-16 and not of UTF-8, so that texts with lone surrogates stay different.
 */
export function sha256(text: string): string {
  constants ??= roots(64, 1 / 3)
  const state = roots(8, 1 / 2)
  const words = padded(text)
  for (let block = 0; block < words.length; block += 16) compress(state, words.subarray(block), constants)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The text as big-endian words, then a one bit, zeros, and its length in bits. */
function padded(text: string): Uint32Array {
  const { length } = text
  const words = new Uint32Array(((length + 4) >>> 5) * 16 + 16)
  for (let i = 0; i <= length; i++) {
    const unit = i < length ? text.charCodeAt(i) : 0x8000
    words[i >> 1] = (words[i >> 1] as number) | (unit << (i & 1 ? 0 : 16))
  }
  words.set([length / 2 ** 28, length * 16], words.length - 2)
  return words
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
function roots(count: number, power: number): Uint32Array {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n)
  return Uint32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32)
}

/** Mixes one block, which is the first 16 words, into the state. */
function compress(state: Uint32Array, words: Uint32Array, k: Uint32Array): void {
  // The last 16 words are all that the next one is made of.
  const last16 = words.slice(0, 16)
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let i = 0; i < 64; i++) {
    const word = last16[i % 16] as number
    const x = last16[(i + 1) % 16] as number
    const y = last16[(i + 14) % 16] as number
    const next =
      word +
      (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) +
      (last16[(i + 9) % 16] as number) +
      (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))
    last16[i % 16] = next
    const first =
      h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (k[i] as number) + word
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] as number) + word
  })
}

type Eight = [number, number, number, number, number, number, number, number]

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
