import type { FastifyReply } from 'fastify'

/** As much as anyone sends by mistake; who sends more is cut off. */
const MAX_DROPPED_BYTES = 1 << 24

/**
 * Reads and forgets what is still to come of a request that is answered already. Closing at once would reset the connection under a
 * client that is still sending, and most clients then report a broken pipe instead of the answer.
 */
export function dropRest(reply: FastifyReply): void {
  const { raw } = reply.request
  if (raw.complete) return
  void reply.removeHeader('connection')
  let left = MAX_DROPPED_BYTES
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) raw.destroy()
  })
}
