/**
 * Clients that ask and never read the answer would hold a connection, and what waits in it, for ever. Whoever takes
 * something goes on, however slowly.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** @param silenceSeconds how long a client may take nothing, and at most twice as long, while an answer waits for it */
export function limitReaders(app: FastifyInstance, silenceSeconds: number): void {
  app.addHook('onRequest', async (_, reply) => watch(reply.raw, silenceSeconds * 1000))
}

/**
 * By the connection's own clock: it begins anew with all that is sent or received, and Node looks whether a part of
 * what waits has gone. It also runs out while we think; then nothing waits, and it begins with the answer. Between two
 * requests the time of idle connections holds.
 */
function watch(answer: ServerResponse, milliseconds: number): void {
  answer.setTimeout(milliseconds, () => {
    const { socket } = answer
    if (socket !== null && socket.writableLength > 0) socket.destroy()
  })
}
