import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ShowKey } from './log.ts'
import type { Problem } from './problems.ts'
import type { Check, DecisionBody } from './schemas.ts'

/** A line for each request, at the level debug: what was asked, what was answered, how long it took. */
export class RequestLog {
  readonly #log: Logger
  readonly #showKey: ShowKey
  readonly #checks = new WeakMap<FastifyRequest, object[]>()

  constructor(log: Logger, showKey: ShowKey) {
    this.#log = log
    this.#showKey = showKey
  }

  follow(app: FastifyInstance): void {
    if (!this.#isOn) return
    app.addHook('onResponse', (request, reply, done) => {
      this.#log.debug(
        {
          method: request.method,
          // The path of the route: what a client made up may hold a key.
          path: request.routeOptions.url ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 1000) / 1000,
          from: request.ip,
          checks: this.#checks.get(request),
        },
        'answered',
      )
      done()
    })
  }

  note(request: FastifyRequest, check: Check, answer: DecisionBody | Problem): void {
    if (!this.#isOn) return
    const noted = this.#checks.get(request) ?? []
    this.#checks.set(request, noted)
    // A name that is none may be a key in the wrong place, so a problem tells no more than its type.
    if ('allowed' in answer)
      noted.push({ ...this.#subject(check), cost: check.cost ?? 1, ...outcome(answer) })
    else noted.push({ problem: answer.type })
  }

  get #isOn(): boolean {
    return this.#log.isLevelEnabled('debug')
  }

  #subject(check: Check): object {
    if ('policy' in check) return { policy: check.policy, key: this.#showKey(check.key) }
    const keys = Object.entries(check.keys).map(([name, key]) => [
      name,
      key === null ? null : this.#showKey(key),
    ])
    return { limiter: check.limiter, keys: Object.fromEntries(keys) }
  }
}

function outcome(answer: DecisionBody): object {
  return answer.allowed ? { allowed: true } : { allowed: false, reason: answer.reason, policy: answer.policy }
}
