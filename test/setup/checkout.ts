import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const original = fileURLToPath(new URL('../..', import.meta.url))

/** What a clone would not have. */
const NOT_CLONED = ['node_modules', 'dist', 'coverage', '.git']

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** All that it has written so far. */
  output(): string
}

/** A fresh copy of this checkout in a folder of its own. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'headgate-checkout-'))
  readonly #running: Running[] = []

  constructor() {
    const cloned = (path: string): boolean =>
      !NOT_CLONED.includes(basename(path)) && !basename(path).startsWith('.headgate-setup')
    cpSync(original, this.folder, { recursive: true, filter: cloned })
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts)
  }

  edit(file: string, change: (text: string) => string): void {
    writeFileSync(this.path(file), change(readFileSync(this.path(file), 'utf8')))
  }

  /** Starts a program as someone at a prompt would: without what npm told the tests' own process. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|NODE_|VITEST|INIT_CWD)/.test(name),
    )
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (text: string): void => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal, output }))
    })
    const running = { child, ended, output: () => output }
    this.#running.push(running)
    return running
  }

  /** Runs one of the project's scripts to its end. */
  script(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(process.execPath, [`scripts/${name}.mjs`, ...args], env).ended
  }

  async remove(): Promise<void> {
    for (const { child } of this.#running) child.kill('SIGKILL')
    await Promise.all(this.#running.map(({ ended }) => ended))
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Looks again and again until it sees; the runner's own patience is the bound. */
export async function until<T>(
  see: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const seen = await see()
    if (seen !== undefined && seen !== false) return seen
    await sleep(20)
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const countOf = (text: string, part: string): number => text.split(part).length - 1
