import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock, Policies } from 'headgate'
import { errorCode, Failure, systemReason } from '../failure.ts'
import { printable } from '../text.ts'
import { createApp } from './app.ts'
import { Desk } from './desk.ts'
import { Drain } from './drain.ts'
import { withoutMessage } from './without-message.ts'

export interface ServiceOptions {
  readonly policies: Policies
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly maxKeys: number
  /** One line for the operator. Never holds a key. */
  readonly log: (line: string) => unknown
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
  /** Whether only this machine can reach it. */
  readonly isLoopback: boolean
  readonly #app: FastifyInstance
  readonly #desk: Desk
  readonly #drain: Drain
  readonly #state: State

  private constructor(app: FastifyInstance, desk: Desk, drain: Drain, state: State) {
    const { address, family, port } = app.server.address() as AddressInfo
    this.origin = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
    this.isLoopback = isLoopback(address)
    this.#app = app
    this.#desk = desk
    this.#drain = drain
    this.#state = state
  }

  /** Listens; a `Failure` says in a sentence why it can't. */
  static async start(options: ServiceOptions): Promise<Service> {
    const { log, requestTimeoutMs } = options
    const state: State = { draining: false }
    const desk = new Desk({ ...options, onSaturated: (maxKeys) => log(saturated(maxKeys)) })
    const app = createApp({
      desk,
      onUnexpected: (error) => log(`unexpected: ${withoutMessage(error)}`),
      isDraining: () => state.draining,
      ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    })
    const drain = new Drain(app.server)
    await listen(app, options)
    return new Service(app, desk, drain, state)
  }

  /** Answers what was accepted, for at most `boundMs`, and lets go of everything. Resolves with how many connections were cut. */
  async stop(boundMs: number): Promise<number> {
    this.#state.draining = true
    const cut = await this.#drain.run(boundMs)
    await this.#app.close()
    await this.#desk.close()
    return cut
  }
}

interface State {
  draining: boolean
}

async function listen(app: FastifyInstance, { host, port }: ServiceOptions): Promise<void> {
  try {
    // One address: a name such as localhost has two, and each would be a server of its own to drain.
    const { address } = await lookup(host)
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
  return address === '::1' || address.startsWith('127.')
}

function saturated(maxKeys: number): string {
  return `the store is full with ${maxKeys} live keys: new keys are answered 503 until some expire; --max-keys raises the bound`
}
