import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Failure, systemReason } from '../failure.ts'
import { printable } from '../text.ts'

/** Shorter ones can be guessed. */
const MIN_LENGTH = 16
const MAX_LENGTH = 512
const MAX_TOKENS = 100
/** What a bearer token is made of (RFC 6750). */
const TOKEN = /^[\w.~+/-]+=*$/

/** The tokens that let a request in. */
export class Tokens {
  readonly #digests: readonly Buffer[]

  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digestOf)
  }

  /** Whether an `Authorization` header holds one of them. Takes as long whatever is in it. */
  admit(header: string | undefined): boolean {
    const given = digestOf(/^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '')
    let admitted = false
    for (const digest of this.#digests) if (timingSafeEqual(digest, given)) admitted = true
    return admitted
  }
}

/** Digests are of one length, and what they have in common says nothing about the tokens. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The tokens in a file, one a line, so that a new one can be let in before the old one goes. A `Failure` never shows a token. */
export async function readTokens(file: string): Promise<Tokens> {
  const shown = `--token-file ${printable(file, 120)}`
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`can't read ${shown}: ${systemReason(error)}.`)
  })
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const tokens = lines.map((line) => line.trim()).filter((line) => line !== '')
  if (tokens.length === 0) throw new Failure(`${shown} holds no token: put one in it, on a line of its own.`)
  if (tokens.length > MAX_TOKENS) throw new Failure(`${shown} holds more than ${MAX_TOKENS} tokens.`)
  for (const [i, line] of lines.entries()) refuseWeak(line.trim(), `${shown}, line ${i + 1}`)
  return new Tokens(tokens)
}

function refuseWeak(token: string, where: string): void {
  if (token === '') return
  if (token.length < MIN_LENGTH || token.length > MAX_LENGTH) {
    throw new Failure(
      `${where}: a token must have ${MIN_LENGTH} to ${MAX_LENGTH} characters; this one has ${token.length}. Make one with \`openssl rand -hex 32\`.`,
    )
  }
  if (!TOKEN.test(token)) {
    throw new Failure(
      `${where}: a token is of letters, digits and the signs - . _ ~ + / with = at its end; this one has others.`,
    )
  }
}
