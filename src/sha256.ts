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
  const schedule = new Uint32Array(64)
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16))
    compress(state, schedule, constants)
  }
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
  words[words.length - 2] = length / 2 ** 28
  words[words.length - 1] = length * 16
  return words
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
function roots(count: number, power: number): Uint32Array {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n)
  return Uint32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32)
}

/** Mixes one block, which is the first 16 words of the schedule, into the state. */
function compress(state: Uint32Array, schedule: Uint32Array, k: Uint32Array): void {
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
    if (i > 15) {
      const x = schedule[i - 15] as number
      const y = schedule[i - 2] as number
      const sigma0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)
      const sigma1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)
      schedule[i] = (schedule[i - 16] as number) + sigma0 + (schedule[i - 7] as number) + sigma1
    }
    const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + (k[i] as number) + (schedule[i] as number)) | 0
    const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = sum0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
