import process from 'node:process'
import { Command } from 'commander'
import type { Policies } from 'headgate'
import { describePolicy } from '../describe-policy.ts'
import { durationOption } from '../duration-option.ts'
import { usageFailure } from '../failure.ts'
import { boldOn, type Io } from '../io.ts'
import { printable } from '../text.ts'
import { version } from '../version.ts'
import { builtInPolicies } from './built-in.ts'
import { Service } from './service.ts'

const EXAMPLES = `
Examples:
  headgate serve
  headgate serve --port 0            any free port; the first line says which
  curl -s http://127.0.0.1:8787/v1/take \\
    -H 'content-type: application/json' -d '{"policy":"default","key":"user:42"}'
`

interface Options {
  readonly host: string
  readonly port: string
  readonly maxKeys: string
  readonly drain: string
}

/** `headgate serve`: decisions over HTTP, for any language. */
export function serveCommand(io: Io): Command {
  return new Command('serve')
    .summary('the decision service: ask it over HTTP before letting a request in')
    .description(
      'Answers POST /v1/take, /v1/peek and /v1/refund with decisions in JSON, and shows at / what is running. ' +
        'On SIGTERM or SIGINT it answers what it accepted, and ends.',
    )
    .option('--port <n>', 'where to listen; 0 takes any free port', '8787')
    .option(
      '--host <address>',
      'on which address; beyond loopback anyone who reaches it may ask',
      '127.0.0.1',
    )
    .option('--max-keys <n>', 'the most keys to hold at once; beyond it new keys get 503', '1000000')
    .option('--drain <duration>', 'how long to wait, when stopping, for requests still arriving', '10s')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => serve(io, options))
}

async function serve(io: Io, options: Options): Promise<void> {
  const drainMs = durationOption('drain', options.drain)
  const port = wholeNumber('port', options.port, 0, 65_535)
  const maxKeys = wholeNumber('max-keys', options.maxKeys, 1, 16_000_000)
  const log = (line: string): unknown => io.stderr.write(`headgate: ${line}\n`)
  // Before it listens: a signal while it starts must end it as well.
  const signals = watchSignals()
  try {
    const service = await Service.start({ policies: builtInPolicies, host: options.host, port, maxKeys, log })
    io.stdout.write(greeting(service, builtInPolicies, boldOn(io.stdout)))
    if (!service.isLoopback)
      log(`${service.origin} is open to the network: whoever reaches it may take and refund.`)
    const signal = await signals.first
    io.stdout.write(`${signal}: answering what was accepted, then ending.\n`)
    const cut = await service.stop(drainMs)
    if (cut > 0) log(`cut ${unfinished(cut)} had not arrived whole after ${options.drain}.`)
    io.stdout.write('Ended.\n')
  } finally {
    signals.forget()
  }
}

function unfinished(connections: number): string {
  return connections === 1 ? '1 connection whose request' : `${connections} connections whose requests`
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** The first signal that asks for an end. A second one ends the process at once, as it would have without us. */
function watchSignals(): { readonly first: Promise<string>; forget(): void } {
  let heard: (name: string) => void = () => undefined
  const first = new Promise<string>((resolve) => {
    heard = resolve
  })
  const listener = (name: string): void => {
    forget()
    heard(name)
  }
  const forget = (): void => {
    for (const name of SIGNALS) process.off(name, listener)
  }
  for (const name of SIGNALS) process.on(name, listener)
  return { first, forget }
}

function greeting(service: Service, policies: Policies, bold: (text: string) => string): string {
  const [first = 'default'] = Object.keys(policies)
  const lines = Object.entries(policies).map(
    ([name, policy]) => `  policy ${name}: ${policy.algorithm}, ${describePolicy(policy)}`,
  )
  return [
    `Headgate ${version} decides on ${bold(service.origin)}`,
    ...lines,
    'Try:',
    `  curl -s ${service.origin}/v1/take -H 'content-type: application/json' \\`,
    `    -d '{"policy":"${first}","key":"user:42"}'`,
    'Ctrl-C ends it.',
    '',
  ].join('\n')
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usageFailure(
    `--${option} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(printable(text, 40))}.`,
  )
}
