import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PROBLEM_TYPE, type Problem, problemOf } from './problems.ts'

/** What came over a connection was no HTTP request, or not in time: there is no request to reply to, so the bytes are written here. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(responseBytes(problemFor(error.code)))
  // Whatever else the client sends is not read.
  socket.destroySoon()
}

/** CONNECT comes as a bare connection: this is no proxy. */
export function refuseTunnel(socket: Duplex): void {
  socket.end(
    responseBytes(problemOf('method-not-allowed', 'CONNECT is not answered here; this service is no proxy.')),
  )
}

function problemFor(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problemOf('request-timeout', 'The request did not arrive whole in time; the connection is closed.')
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problemOf('headers-too-large', 'The header fields must be at most 16 KiB together.')
  }
  return problemOf('invalid-request', 'This is not an HTTP/1.1 request that can be read.')
}

function responseBytes(problem: Problem): string {
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
