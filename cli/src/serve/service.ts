import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'headgate'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { errorCode, Failure, systemReason, usageFailure } from '../failure.ts'
import { printable } from '../text.ts'
import { createApp } from './app.ts'
import type { Tokens } from './auth.ts'
import { Desk } from './desk.ts'
import { Drain } from './drain.ts'
import { pseudonyms, type ShowKey } from './log.ts'
import { RequestLog } from './request-log.ts'
import { withoutMessage } from './without-message.ts'

export interface ServiceOptions {
  readonly config: Config
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly maxKeys: number
  readonly log: Logger
  /** How keys stand in the log; by default as pseudonyms. */
  readonly showKey?: ShowKey
  /** Who may ask. Without any, who can reach it: then it listens on loopback alone, unless that is meant. */
  readonly tokens?: Tokens | undefined
  /** Listens beyond loopback without tokens. Default false. */
  readonly isOpen?: boolean
  readonly requestTimeoutMs?: number
  /** By default the wall clock. */
  readonly clock?: Clock
}

/** Connections that wait to be accepted; the system may allow fewer. */
const BACKLOG = 4096

/** The decision service, from its first request to its last. */
export class Service {
  /** Where it listens, as a URL without a path. */
  readonly origin: string
  /** Whether anyone who reaches it from elsewhere may ask. */
  readonly isOpen: boolean
  readonly #app: FastifyInstance
  readonly #desk: Desk
  readonly #drain: Drain

  private constructor(app: FastifyInstance, desk: Desk, drain: Drain, hasTokens: boolean) {
    const { address, family, port } = app.server.address() as AddressInfo
    this.origin = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
    this.isOpen = !hasTokens && !isLoopback(address)
    this.#app = app
    this.#desk = desk
    this.#drain = drain
  }

  /** Listens; a `Failure` says in a sentence why it can't. */
  static async start(options: ServiceOptions): Promise<Service> {
    const { log, tokens, requestTimeoutMs, showKey = pseudonyms() } = options
    const address = await addressOf(options)
    const desk = new Desk({ ...options, onSaturated: (maxKeys) => log.warn({ maxKeys }, SATURATED) })
    const app = createApp({
      desk,
      tokens,
      requestTimeoutMs,
      requestLog: new RequestLog(log, showKey),
      onUnexpected: (error) => log.error({ error: withoutMessage(error) }, 'unexpected'),
      isStopping: () => drain.isRunning,
      isLast: (request) => drain.isLast(request),
    })
    const drain = new Drain(app.server)
    await listen(app, address, options)
    return new Service(app, desk, drain, tokens !== undefined)
  }

  /** Answers what was accepted, for at most `boundMs`, and lets go of everything. Resolves with how many connections were cut. */
  async stop(boundMs: number): Promise<number> {
    const cut = await this.#drain.run(boundMs)
    await this.#app.close()
    await this.#desk.close()
    return cut
  }
}

const SATURATED =
  'the store is full with live keys: new keys are answered 503 until some expire; --max-keys raises the bound'

/** One address: a name such as localhost has two, and each would be a server of its own to drain. */
async function addressOf({ host, port, tokens, isOpen = false }: ServiceOptions): Promise<string> {
  const { address } = await lookup(host).catch((error: unknown) => {
    throw cannotListen(error, host, port)
  })
  if (isOpen || tokens || isLoopback(address)) return address
  throw usageFailure(
    `--host ${printable(host, 80)} can be reached from elsewhere: say who may ask with --token-file FILE, or with --no-auth that anyone may.`,
  )
}

async function listen(app: FastifyInstance, address: string, { host, port }: ServiceOptions): Promise<void> {
  try {
    await app.listen({ host: address, port, backlog: BACKLOG })
  } catch (error) {
    await app.close()
    throw cannotListen(error, host, port)
  }
}

function cannotListen(error: unknown, host: string, port: number): Failure {
  const where = `port ${port} on ${printable(host, 80)}`
  const code = errorCode(error) ?? ''
  if (code === 'EADDRINUSE')
    return new Failure(`${where} is in use: stop what listens there, or choose another with --port.`)
  if (code === 'EACCES')
    return new Failure(`${where} is not for this user: choose a port above 1023 with --port.`)
  if (code === 'EADDRNOTAVAIL')
    return new Failure(`--host ${printable(host, 80)} is not an address of this machine.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Failure(`--host ${printable(host, 80)} can't be resolved to an address.`)
  return new Failure(`can't listen on ${where}: ${systemReason(error)}.`)
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
