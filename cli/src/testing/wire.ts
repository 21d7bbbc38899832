import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A bare connection: what fetch would never send, and when it sends it. */
export class Wire {
  readonly #socket: Socket
  readonly #closed: Promise<unknown>
  #received = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#closed = new Promise((resolve) => socket.once('close', resolve))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      this.#received += text
    })
    // A reset shows in what was received.
    socket.on('error', () => undefined)
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1' })
    const wire = new Wire(socket)
    await once(socket, 'connect')
    return wire
  }

  send(text: string): void {
    this.#socket.write(text)
  }

  /** Resolves with all that came, once the other side has closed. */
  async untilClosed(): Promise<string> {
    await this.#closed
    return this.#received
  }

  /** Resolves with all that came, once it holds `text` so many times; or once nothing more can come. */
  async until(text: string, times = 1): Promise<string> {
    while (this.#received.split(text).length <= times && !this.#socket.destroyed) {
      await Promise.race([once(this.#socket, 'data'), this.#closed])
    }
    return this.#received
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** A POST as bytes, head and body. */
export function postBytes(path: string, body: string): { head: string; body: string } {
  const length = Buffer.byteLength(body)
  const head = `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  return { head, body }
}

/** The body of the last response in what came over a wire. */
export function lastBody(received: string): unknown {
  return JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n') + 4))
}
