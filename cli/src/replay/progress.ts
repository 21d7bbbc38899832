import { showCount } from '../text.ts'

/** The part of a terminal that progress needs. */
export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const EVERY_MS = 200

/** One line on a terminal that says how far the reading is; nothing where there is no terminal. */
export class Progress {
  readonly #terminal: Terminal
  readonly #total: number | undefined
  #nextMs = 0
  #shown = false

  constructor(terminal: Terminal, total: number | undefined) {
    this.#terminal = terminal
    this.#total = total
  }

  update(bytes: number, requests: number): void {
    const share = this.#total ? `, ${Math.min(100, Math.floor((bytes / this.#total) * 100))} %` : ''
    this.say(() => `replaying: ${showCount(requests)} requests${share}`)
  }

  /** Not more often than anybody can read. */
  say(text: () => string): void {
    if (this.#terminal.isTTY !== true || performance.now() < this.#nextMs) return
    this.#nextMs = performance.now() + EVERY_MS
    this.#terminal.write(`\r\u001b[K${text()}`)
    this.#shown = true
  }

  /** Leaves no trace. */
  clear(): void {
    if (this.#shown) this.#terminal.write('\r\u001b[K')
    this.#shown = false
  }
}
