import type { IncomingMessage, Server } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** How often to look whether anything still comes. */
const LOOK_MS = 20
/** Looks without news until a connection that says nothing is taken for idle. */
const QUIET_LOOKS = 3

/** Follows a server's connections from its first, so that it can be stopped without dropping what was accepted. */
export class Drain {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #accepted = 0
  #requests = 0
  #isRunning = false
  readonly #newest = new WeakMap<Socket, IncomingMessage>()

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#accepted++
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('request', (request: IncomingMessage) => {
      this.#requests++
      this.#newest.set(request.socket, request)
    })
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Whether a request is the last that its connection will bring: an answer that closes it would take those behind it along. */
  isLast(request: IncomingMessage): boolean {
    return this.#isRunning && this.#newest.get(request.socket) === request
  }

  /**
   * Takes no new connections, answers what arrives on those there are, and resolves when all are gone; with how many had to be cut,
   * unanswered, because `boundMs` had passed.
   */
  async run(boundMs: number): Promise<number> {
    this.#isRunning = true
    const deadlineMs = performance.now() + boundMs
    await this.#acceptWaiting()
    this.#stopListening()
    let quietLooks = 0
    while (this.#sockets.size > 0 && performance.now() < deadlineMs) {
      const before = this.#requests
      await sleep(LOOK_MS)
      quietLooks = this.#requests === before ? quietLooks + 1 : 0
      if (quietLooks >= QUIET_LOOKS) this.#closeIdle()
    }
    const cut = this.#sockets.size
    for (const socket of this.#sockets) socket.destroy()
    return cut
  }

  /** Connections that the system has made, and that wait to be taken over, would be reset when the listening socket closes. */
  async #acceptWaiting(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 3; ) {
      const before = this.#accepted
      await turn()
      quietTurns = this.#accepted > before ? 0 : quietTurns + 1
    }
  }

  /** Not the HTTP server's own close: that one also drops every connection with no request read yet, though one may be on its way. */
  #stopListening(): void {
    if (this.#server.listening) TcpServer.prototype.close.call(this.#server)
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    // To Node a connection that never said anything is not idle but about to speak.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}
