import { once } from 'node:events'
import { createServer } from 'node:http'
import { Limiter, slidingWindow } from 'headgate'

const limiter = new Limiter({ policy: slidingWindow({ limit: 3, window: '1m' }) })

const server = createServer(async (request, response) => {
  const decision = await limiter.take(request.socket.remoteAddress ?? 'unknown')
  response.setHeader('X-RateLimit-Limit', decision.limit)
  response.setHeader('X-RateLimit-Remaining', decision.remaining)
  if (decision.allowed) return response.end('Hello\n')
  // Rounded up: a client that waits as told must not be refused again.
  response.setHeader('Retry-After', Math.max(1, Math.ceil(decision.retryAfterMs / 1000)))
  response.writeHead(429).end('Too many requests\n')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

for (let i = 1; i <= 5; i++) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`)
  const told = response.headers.has('retry-after') ? ', and says when to come back' : ''
  console.log(`${i}: ${response.status}, ${response.headers.get('x-ratelimit-remaining')} left${told}`)
}
server.close()
