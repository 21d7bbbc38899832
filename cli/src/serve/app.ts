import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { answerClientError, refuseTunnel } from './client-error.ts'
import type { Desk } from './desk.ts'
import { type OnUnexpected, problemFrom, sendProblem } from './errors.ts'
import { parseJson } from './json-body.ts'
import { CONTENT_SECURITY_POLICY, renderPage } from './page.ts'
import { ProblemError, problemOf } from './problems.ts'
import { CheckBody, DecisionBody, HealthBody, MAX_BODY_BYTES, RefundBody, RefundedBody } from './schemas.ts'

export interface AppOptions {
  readonly desk: Desk
  readonly onUnexpected: OnUnexpected
  /** Asked for each answer: a connection that is not to be used again is told so. */
  readonly isDraining: () => boolean
  /** How long a request may take to arrive, head and body, in milliseconds. Default 30,000. */
  readonly requestTimeoutMs?: number
}

const REQUEST_TIMEOUT_MS = 30_000

/** The service as an HTTP application; it listens nowhere yet. */
export function createApp({
  desk,
  onUnexpected,
  isDraining,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: AppOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestTimeoutMs,
    http: {
      requireHostHeader: false,
      // Node's own 60 s for the head would count for the body as well, were it longer than the whole may take.
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 10),
    },
    // A check either is what it says or is refused: nothing is coerced, dropped or filled in.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true },
    },
    // What was accepted is answered, also while stopping.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _request, reply) => sendProblem(reply, problemFrom(error, onUnexpected)),
  })
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuseTunnel(socket))
  app.setSerializerCompiler(() => JSON.stringify)
  acceptJsonOnly(app)
  app.addHook('onRequest', (request, _reply, done) => {
    const isNameless = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(isNameless ? new ProblemError('invalid-request', 'HTTP/1.1 wants a Host header.') : undefined)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    if (isDraining()) void reply.header('connection', 'close')
    done(null, payload)
  })
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, problemFrom(error, onUnexpected)))
  app.setNotFoundHandler((request, reply) => answerNotFound(app, request, reply))
  addDecisions(app, desk)
  addPages(app, desk, isDraining)
  return app
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function addDecisions(app: FastifyInstance, desk: Desk): void {
  const decides = { schema: { body: CheckBody, response: { 200: DecisionBody } } }
  app.post<{ Body: CheckBody }>('/v1/take', decides, ({ body }, reply) => {
    void reply.header('cache-control', 'no-store')
    return desk.take(body)
  })
  app.post<{ Body: CheckBody }>('/v1/peek', decides, ({ body }, reply) => {
    void reply.header('cache-control', 'no-store')
    return desk.peek(body)
  })
  const refunds = { schema: { body: RefundBody, response: { 200: RefundedBody } } }
  app.post<{ Body: RefundBody }>('/v1/refund', refunds, ({ body }, reply) => {
    void reply.header('cache-control', 'no-store')
    return desk.refund(body)
  })
}

function addPages(app: FastifyInstance, desk: Desk, isDraining: () => boolean): void {
  app.get('/healthz', { schema: { response: { 200: HealthBody } } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    if (!isDraining()) return { status: 'ok' as const }
    sendProblem(reply, problemOf('draining', 'It answers what it accepted and takes no new connections.'))
    return reply
  })
  app.get('/', (request, reply) => {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('cache-control', 'no-store')
      .send(
        renderPage({
          policies: desk.policies,
          keys: desk.keys,
          maxKeys: desk.maxKeys,
          host: request.headers.host,
        }),
      )
  })
}

const METHODS = ['GET', 'HEAD', 'POST'] as const

function answerNotFound(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?', 1)[0] ?? '/'
  const allowed = METHODS.filter((method) => app.hasRoute({ method, url: path }))
  if (allowed.length === 0) {
    const places = 'POST /v1/take, /v1/peek and /v1/refund, and GET / and /healthz'
    sendProblem(reply, problemOf('not-found', `This path leads nowhere; there is ${places}.`))
    return
  }
  void reply.header('allow', allowed.join(', '))
  sendProblem(
    reply,
    problemOf('method-not-allowed', `${request.method} is not answered here; use ${allowed.join(' or ')}.`),
  )
}
