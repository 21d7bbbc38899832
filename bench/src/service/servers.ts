import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endOf, start, startProgram } from '../child.ts'

const BARE = new URL('./bare-program.ts', import.meta.url)
const HEADGATE = fileURLToPath(new URL('../../../cli/bin/headgate.js', import.meta.url))

/** A server in a process of its own. */
export interface Server {
  readonly origin: string
  stop(): Promise<void>
}

export function startHeadgate(): Promise<Server> {
  return serving(start([HEADGATE, 'serve', '--port', '0']))
}

/** A route that always gives this answer. */
export function startBare(answer: unknown): Promise<Server> {
  return serving(startProgram(BARE, [JSON.stringify(answer)]))
}

/** Waits for the line that says where it listens. */
async function serving(child: ChildProcess): Promise<Server> {
  const ended = endOf(child)
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /http:\/\/[\w.]+:\d+/.exec(said)
      if (found) resolve(found[0])
    })
    ended.then((end) => reject(new Error(`a server ended with ${end} before it listened`)), reject)
  })
  return {
    origin,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
