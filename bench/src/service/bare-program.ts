import process from 'node:process'
import Fastify from 'fastify'

/** What the service is measured against: a route that reads a body of JSON and answers one that it has from the start. */
const answer: unknown = JSON.parse(process.argv[2] ?? '{}')
const app = Fastify()
app.post('/v1/take', async () => answer)
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('SIGTERM', () => app.close())
