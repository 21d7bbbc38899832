import { gcra, Limiter, slidingWindow, tokenBucket } from 'headgate'
import { ManualClock } from 'headgate/testing'

const clock = new ManualClock(Date.UTC(2026, 0, 1))
const api = new Limiter({
  clock,
  policies: {
    ip: slidingWindow({ limit: 8, window: '1m' }),
    user: tokenBucket({ capacity: 5, refill: 1, per: '1s' }),
    endpoint: gcra({ rate: 10, per: '1s', burst: 4 }),
  },
})

async function ask(user, cost) {
  const key = { ip: '203.0.113.7', user, endpoint: 'GET /reports' }
  const decision = await api.take(key, { cost })
  const left = Object.entries(decision.each).map(([name, { remaining }]) => `${name} ${remaining}`)
  console.log(`${user ?? 'nobody'} asks for ${cost}: ${verdict(decision)}; left: ${left.join(', ')}`)
}

function verdict(decision) {
  if (decision.allowed) return 'admitted'
  if (decision.reason === 'never') return `never, says ${decision.policy}`
  return `not for ${decision.retryAfterMs} ms, says ${decision.policy}`
}

await ask('ada', 4)
await ask('ada', 2) // neither the user nor the endpoint has room: the longer wait is told, and nothing is charged
await ask('grace', 1) // another user, the same endpoint
clock.advance(1_000)
await ask('ada', 2)
await ask(undefined, 2) // not logged in: no limit for a user, the others hold
await ask('grace', 6) // more than the endpoint ever has at once: never
