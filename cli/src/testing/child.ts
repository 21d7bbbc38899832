import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How to run the command line from its sources, as a process of its own. */
export const SOURCES: readonly string[] = ['--import', 'tsx', MAIN]

export interface Ended {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** A command line in a process of its own, to be signalled. */
export class Child {
  readonly #process: ChildProcess
  readonly ended: Promise<Ended>
  #stdout = ''
  #stderr = ''
  #news: () => void = () => undefined

  constructor(
    program: readonly string[],
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#process = spawn(process.execPath, [...program, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    })
    this.#process.stdout
      ?.setEncoding('utf8')
      .on('data', (text: string) => this.#heard(() => (this.#stdout += text)))
    this.#process.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => this.#heard(() => (this.#stderr += text)))
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (exitCode, signal) => {
        this.#heard(() => resolve({ exitCode, signal, stdout: this.#stdout, stderr: this.#stderr }))
      })
    })
  }

  /** Starts a service on a free port, and resolves when it listens. */
  static async serve(
    program: readonly string[],
    ...args: string[]
  ): Promise<{ child: Child; origin: string; port: number }> {
    const child = new Child(program, ['serve', '--port', '0', ...args])
    const [, origin = ''] = await child.until(/on (http:\/\/\S+)\n/)
    return { child, origin, port: Number(new URL(origin).port) }
  }

  /** Writes to its standard input, which stays open; resolves when all of it was taken. */
  async feed(text: string): Promise<void> {
    await new Promise((resolve) => this.#process.stdin?.write(text, resolve))
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void {
    this.#process.kill(name)
  }

  /** Resolves once stdout matches; rejects if the process ends before that. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#stdout)
      if (match) return match
      if (this.#process.exitCode !== null) throw new Error(`it ended: ${this.#stdout}${this.#stderr}`)
      await new Promise<void>((resolve) => {
        this.#news = resolve
      })
    }
  }

  /** Whatever became of the test, its process goes with it. */
  kill(): void {
    this.#process.kill('SIGKILL')
  }

  #heard(what: () => void): void {
    what()
    this.#news()
  }
}
