import type { FastifyInstance, FastifyRequest } from 'fastify'
import { batchFrom, checkFrom, inBatch, refundFrom } from './check-body.ts'
import type { Desk } from './desk.ts'
import { type OnUnexpected, problemFrom, sendProblem } from './errors.ts'
import { openapi } from './openapi.ts'
import { CONTENT_SECURITY_POLICY, renderPage } from './page.ts'
import { type Problem, problemOf } from './problems.ts'
import type { RequestLog } from './request-log.ts'
import type { Check, DecisionBody, DecisionsBody } from './schemas.ts'

export interface RoutesOptions {
  readonly desk: Desk
  readonly requestLog: RequestLog
  readonly onUnexpected: OnUnexpected
  readonly isStopping: () => boolean
}

export function addDecisions(app: FastifyInstance, options: RoutesOptions): void {
  const { desk } = options
  for (const operation of ['take', 'peek'] as const) {
    const decide = (check: Check): Promise<DecisionBody> => desk[operation](check)
    app.post(`/v1/${operation}`, (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const batch = batchFrom(request.body)
      return batch
        ? decideAll(batch, request, decide, options)
        : decideOne(request.body, request, decide, options)
    })
  }
  app.post('/v1/refund', (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return desk.refund(refundFrom(request.body))
  })
}

type Decide = (check: Check) => Promise<DecisionBody>

async function decideOne(
  body: unknown,
  request: FastifyRequest,
  decide: Decide,
  { requestLog }: RoutesOptions,
): Promise<DecisionBody> {
  const check = checkFrom(body)
  try {
    const decision = await decide(check)
    requestLog.note(request, check, decision)
    return decision
  } catch (error) {
    requestLog.note(
      request,
      check,
      problemFrom(error, () => undefined),
    )
    throw error
  }
}

/** One after the other, in their order: two checks of one key count as two requests would. */
async function decideAll(
  batch: readonly unknown[],
  request: FastifyRequest,
  decide: Decide,
  options: RoutesOptions,
): Promise<DecisionsBody> {
  const decisions: (DecisionBody | Problem)[] = []
  for (const [place, body] of batch.entries()) {
    try {
      decisions.push(await decideOne(body, request, decide, options))
    } catch (error) {
      decisions.push(inBatch(problemFrom(error, options.onUnexpected), place))
    }
  }
  return { decisions }
}

export function addPages(app: FastifyInstance, { desk, isStopping }: RoutesOptions): void {
  app.get('/healthz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    if (!isStopping()) return { status: 'ok' as const }
    sendProblem(reply, problemOf('draining', 'It answers what it accepted and takes no new connections.'))
    return reply
  })
  app.get('/openapi.json', async (_request, reply) => {
    void reply.header('cache-control', 'no-cache')
    return openapi
  })
  app.get('/', (request, reply) => {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('cache-control', 'no-store')
      .send(
        renderPage({
          config: desk.config,
          keys: desk.keys,
          maxKeys: desk.maxKeys,
          host: request.headers.host,
        }),
      )
  })
}
