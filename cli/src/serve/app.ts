import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Tokens } from './auth.ts'
import { answerClientError, refuseTunnel } from './client-error.ts'
import { problemFrom, sendProblem } from './errors.ts'
import { parseJson } from './json-body.ts'
import { ProblemError, problemOf } from './problems.ts'
import { addDecisions, addPages, type RoutesOptions } from './routes.ts'
import { MAX_BODY_BYTES } from './schemas.ts'

export interface AppOptions extends RoutesOptions {
  /** Asked for each answer: whether its connection is not to be used again. */
  readonly isLast: (request: IncomingMessage) => boolean
  /** Without any, no token is asked for. */
  readonly tokens?: Tokens | undefined
  /** How long a request may take to arrive, head and body, in milliseconds. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined
}

const REQUEST_TIMEOUT_MS = 30_000

/** The service as an HTTP application; it listens nowhere yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { onUnexpected, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
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
    // What was accepted is answered, also while stopping.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _request, reply) => sendProblem(reply, problemFrom(error, onUnexpected)),
  })
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuseTunnel(socket))
  app.setSerializerCompiler(() => JSON.stringify)
  acceptJsonOnly(app)
  addHooks(app, options)
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, problemFrom(error, onUnexpected)))
  const methods = methodsByPath(app)
  app.setNotFoundHandler((request, reply) => answerNotFound(methods, request, reply))
  addDecisions(app, options)
  addPages(app, options)
  return app
}

/** They hold nothing of this installation, and who watches over it may have no token. */
const WITHOUT_TOKEN: readonly (string | undefined)[] = ['/healthz', '/openapi.json']

function addHooks(app: FastifyInstance, { tokens, isLast, requestLog }: AppOptions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isNameless = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(isNameless ? new ProblemError('invalid-request', 'HTTP/1.1 wants a Host header.') : undefined)
  })
  if (tokens) {
    app.addHook('onRequest', (request, _reply, done) => {
      const isOpen = WITHOUT_TOKEN.includes(request.routeOptions.url)
      done(isOpen || tokens.admit(request.headers.authorization) ? undefined : unauthorized())
    })
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    if (isLast(request.raw)) void reply.header('connection', 'close')
    done(null, payload)
  })
  requestLog.follow(app)
}

function unauthorized(): ProblemError {
  return new ProblemError(
    'unauthorized',
    'Send the header "authorization: Bearer TOKEN" with a token that this service knows.',
  )
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

/** The methods of each path. Kept by hand: to ask the router for a path is to hand it a pattern, and a client's path is none. */
function methodsByPath(app: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat().sort())
  })
  return methods
}

function answerNotFound(
  methods: ReadonlyMap<string, readonly string[]>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const path = request.url.split('?', 1)[0] ?? '/'
  const allowed = methods.get(path)
  if (!allowed) {
    const places = 'POST /v1/take, /v1/peek and /v1/refund, and GET /, /healthz and /openapi.json'
    sendProblem(reply, problemOf('not-found', `This path leads nowhere; there is ${places}.`))
    return
  }
  void reply.header('allow', allowed.join(', '))
  sendProblem(
    reply,
    problemOf('method-not-allowed', `${request.method} is not answered here; use ${allowed.join(' or ')}.`),
  )
}
