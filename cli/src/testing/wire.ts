import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { expectDescribed } from './openapi-check.ts'

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

/** The answers in what came over a wire, each held against the service's description of what was asked. */
export function answersIn(
  received: string,
  method: string,
  path: string,
): { status: number; body: unknown }[] {
  const answers: { status: number; body: unknown }[] = []
  for (let rest = received; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [line = '', ...fields] = head.split('\r\n')
    const headers = new Headers(fields.map((field) => field.split(/: */, 2) as [string, string]))
    // What the service writes in a test is ASCII, so that bytes are characters.
    const end = head.length + 4 + Number(headers.get('content-length'))
    const body = rest.slice(head.length + 4, end)
    const status = Number(line.split(' ')[1])
    expectDescribed(method, path, { status, header: (name) => headers.get(name), body })
    answers.push({ status, body: JSON.parse(body) })
    rest = rest.slice(end)
  }
  return answers
}

/** The one problem that came over a wire. */
export function problemIn(received: string, method = 'NONE', path = '/'): unknown {
  const answers = answersIn(received, method, path)
  expect(answers).toHaveLength(1)
  return answers[0]?.body
}
