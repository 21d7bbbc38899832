import { Command, Option } from 'commander'
import type { Logger } from 'pino'
import { readConfig } from '../config/read-config.ts'
import { durationOption } from '../duration-option.ts'
import { usageFailure } from '../failure.ts'
import { boldOn, type Io } from '../io.ts'
import { printable } from '../text.ts'
import { readTokens, type Tokens } from './auth.ts'
import { builtInConfig } from './built-in.ts'
import { greeting } from './greeting.ts'
import { createLog, inClear, LOG_LEVELS, type LogLevel, pseudonyms } from './log.ts'
import { Service } from './service.ts'
import { watchSignals } from './signals.ts'

const EXAMPLES = `
Examples:
  headgate serve
  headgate serve --config policies.yaml
  headgate serve --port 0            any free port; the first line says which
  headgate serve --host 0.0.0.0 --token-file tokens.txt
  curl -s http://127.0.0.1:8787/v1/take \\
    -H 'content-type: application/json' -d '{"policy":"default","key":"user:42"}'
`

interface Options {
  readonly config?: string
  readonly host: string
  readonly port: string
  readonly tokenFile?: string
  /** False with --no-auth. */
  readonly auth: boolean
  readonly maxKeys: string
  readonly drain: string
  readonly logLevel: LogLevel
  readonly logKeys?: true
}

/** `headgate serve`: decisions over HTTP, for any language. */
export function serveCommand(io: Io): Command {
  return new Command('serve')
    .summary('the decision service: ask it over HTTP before letting a request in')
    .description(
      'Answers POST /v1/take, /v1/peek and /v1/refund with decisions in JSON; / shows what is running, and ' +
        '/openapi.json how to ask. ' +
        'On SIGTERM or SIGINT it answers what it accepted, and ends.',
    )
    .option('--config <file>', 'policies and limiters, in YAML; without it there is one policy, default')
    .option('--port <n>', 'where to listen; 0 takes any free port', '8787')
    .option(
      '--host <address>',
      'on which address; beyond loopback it wants --token-file or --no-auth',
      '127.0.0.1',
    )
    .option('--token-file <file>', 'who may ask: bearer tokens, one a line')
    .option('--no-auth', 'asks nobody for a token: beyond loopback whoever reaches it may take and refund')
    .option('--max-keys <n>', 'the most keys to hold at once; beyond it new keys get 503', '1000000')
    .option('--drain <duration>', 'how long to wait, when stopping, for requests still arriving', '10s')
    .addOption(
      new Option('--log-level <level>', 'what to log on standard error, in JSON; debug has each request')
        .choices(LOG_LEVELS)
        .default('warn'),
    )
    .option('--log-keys', 'logs keys in clear, and not as pseudonyms')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => serve(io, options))
}

async function serve(io: Io, options: Options): Promise<void> {
  const drainMs = durationOption('drain', options.drain)
  const port = wholeNumber('port', options.port, 0, 65_535)
  const maxKeys = wholeNumber('max-keys', options.maxKeys, 1, 16_000_000)
  const log = createLog(io.stderr, options.logLevel)
  const tokens = await tokensOf(options)
  const config = options.config === undefined ? builtInConfig : await readConfig(options.config)
  const showKey = options.logKeys ? inClear : pseudonyms()
  // Before it listens: a signal while it starts must end it as well.
  const signals = watchSignals()
  try {
    const { host, auth } = options
    const service = await Service.start({ config, host, port, maxKeys, log, showKey, tokens, isOpen: !auth })
    const manner = { bold: boldOn(io.stdout), hasTokens: tokens !== undefined }
    io.stdout.write(greeting(service.origin, config, manner))
    log.info({ origin: service.origin, config: options.config ?? null }, 'listening')
    if (service.isOpen) sayOpen(io, log, service.origin)
    const signal = await signals.first
    await end(io, log, { service, signal, drainMs })
  } finally {
    signals.forget()
  }
}

async function tokensOf({ tokenFile, auth }: Options): Promise<Tokens | undefined> {
  if (tokenFile === undefined) return undefined
  if (auth) return readTokens(tokenFile)
  throw usageFailure('--token-file and --no-auth are opposites: give one of them.')
}

/** Twice: one is for who starts it, the other for who reads logs. */
function sayOpen(io: Io, log: Logger, origin: string): void {
  const text = `${origin} is open to the network: whoever reaches it may take and refund`
  io.stdout.write(`WARNING: ${text}.\n`)
  log.warn({ origin }, text)
}

interface Ending {
  readonly service: Service
  readonly signal: string
  readonly drainMs: number
}

async function end(io: Io, log: Logger, { service, signal, drainMs }: Ending): Promise<void> {
  io.stdout.write(`${signal}: answering what was accepted, then ending.\n`)
  log.info({ signal }, 'stopping')
  const cut = await service.stop(drainMs)
  if (cut > 0) log.warn({ cut, drainMs }, `cut ${unfinished(cut)} had not arrived whole in time`)
  io.stdout.write('Ended.\n')
  log.info('ended')
}

function unfinished(connections: number): string {
  return connections === 1 ? '1 connection whose request' : `${connections} connections whose requests`
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usageFailure(
    `--${option} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(printable(text, 40))}.`,
  )
}
