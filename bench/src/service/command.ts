import { parseArgs } from 'node:util'
import { describeMachine, thisMachine, versionOf } from '../machine.ts'
import { type Said, wholeNumbers } from '../options.ts'
import { type Load, REQUEST, requestsPerSecond } from './load.ts'
import { type Both, reportOf, rowsOf } from './rows.ts'
import { type Server, startBare, startHeadgate } from './servers.ts'

const HELP = `Usage: npm run bench -- service [options]

Requests a second at POST /v1/take of headgate serve, as a share of a bare Fastify route that returns the same JSON.

  --rounds N        how often each is measured, in turn; default 5
  --seconds N       how long each is asked in a round; default 3
  --connections N   how many ask at once; default 50
  --json FILE       the rows, as JSON
  --quick           one round of one second: to see that it works, not how fast
  --help            this text`

export async function serviceCommand(args: readonly string[]): Promise<Said> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '50' },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { text: HELP }
  const [rounds = 1] = wholeNumbers('rounds', values.rounds ?? (values.quick ? '1' : '5'), 1, 1000)
  const [seconds = 1] = wholeNumbers('seconds', values.seconds ?? (values.quick ? '1' : '3'), 1, 3600)
  const [connections = 1] = wholeNumbers('connections', values.connections, 1, 10_000)
  const machine = thisMachine()
  const versions = Object.fromEntries(
    ['headgate', 'fastify', 'autocannon'].map((name) => [name, versionOf(name)]),
  )
  console.log(describeMachine(machine))
  console.log(
    Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', '),
  )
  const rows = rowsOf(await measureBoth(rounds, { connections, seconds }))
  return { text: `\n${reportOf(rows)}`, file: values.json, results: { machine, versions, rows } }
}

async function measureBoth(rounds: number, load: Load): Promise<Both> {
  const running: Server[] = []
  try {
    const service = await startHeadgate()
    running.push(service)
    const bare = await startBare(await answerOf(service))
    running.push(bare)
    const both: Both = { service: [], bare: [] }
    // Not measured: until both have been compiled.
    for (const { origin } of running) await requestsPerSecond(origin, { ...load, seconds: 1 })
    for (let round = 0; round < rounds; round++) {
      console.error(`round ${round + 1} of ${rounds} …`)
      const turns = [
        async () => both.service.push(await requestsPerSecond(service.origin, load)),
        async () => both.bare.push(await requestsPerSecond(bare.origin, load)),
      ]
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    return both
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

/** An answer of the service, for the bare route to give. */
async function answerOf({ origin }: Server): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${origin}/v1/take`, { method: 'POST', headers, body: REQUEST })
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`)
  return response.json()
}
