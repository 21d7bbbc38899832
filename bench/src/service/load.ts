import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { resultOf, start } from '../child.ts'

export interface Load {
  readonly connections: number
  readonly seconds: number
}

/** What autocannon tells of a run, as far as it counts here. */
interface Told {
  readonly requests: { readonly total: number }
  readonly duration: number
  readonly errors: number
  readonly non2xx: number
}

/** The body of every request: the policy that the service has by itself. */
export const REQUEST: string = JSON.stringify({ policy: 'default', key: 'user:42' })

/** Requests a second that were answered, with autocannon in a process of its own. @throws Error if one was not answered with 2xx. */
export async function requestsPerSecond(origin: string, { connections, seconds }: Load): Promise<number> {
  const manifest = createRequire(import.meta.url).resolve('autocannon/package.json')
  const program = join(dirname(manifest), 'autocannon.js')
  const told = await resultOf<Told>(
    start([
      program,
      ...['--json', '--no-progress', '-c', `${connections}`, '-d', `${seconds}`],
      ...['-m', 'POST', '-H', 'content-type=application/json', '-b', REQUEST, `${origin}/v1/take`],
    ]),
  )
  if (told.errors > 0 || told.non2xx > 0) {
    throw new Error(`${origin} failed ${told.errors} requests and answered ${told.non2xx} with an error`)
  }
  return told.requests.total / told.duration
}
