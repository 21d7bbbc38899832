import { bytesToText } from '../text.ts'
import { type AccessRecord, isInstant } from './access-record.ts'
import { toldRequest } from './json-dialects.ts'
import { fieldText, jsonObject } from './json-field.ts'
import { addressOf, joinedKey, type KeyChoice, pathOf } from './key-choice.ts'

/** Reads lines that are a JSON object each, as nginx (by its variables' names), Caddy and pino-http write them. */
export class JsonLogParser {
  readonly #choice: KeyChoice

  constructor(choice: KeyChoice) {
    this.#choice = choice
  }

  /** The request on the line `bytes[start, end)`; undefined where it is broken, tells of none, or lacks its key. */
  parse(bytes: Buffer, start: number, end: number): AccessRecord | undefined {
    const line = jsonObject(bytesToText(bytes.subarray(start, end)))
    if (!line) return undefined
    const { timeMs, status, ip, target } = toldRequest(line)
    if (!isInstant(timeMs) || status === undefined) return undefined
    const { field, usesIp, usesPath } = this.#choice
    const key = field
      ? fieldText(line, field)
      : joinedKey(
          this.#choice,
          usesIp && ip !== undefined ? addressOf(ip) : undefined,
          usesPath && target !== undefined ? pathOf(target) : undefined,
        )
    return key === undefined ? undefined : { timeMs, key, status }
  }
}
