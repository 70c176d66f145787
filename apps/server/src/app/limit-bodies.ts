/**
 * Ends requests that a client never finishes, which would hold a connection for ever. A request that makes progress may
 * continue, however slowly; but callers without a session have only a few minutes in all.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/refuse.ts'
import { refuseUnread, requestIdOf } from './request-ids.ts'

/** Bytes, for calls without a session: credentials, names, addresses. */
export const bodyLimitWithoutSession = 64 * 1024
/** Bytes, for calls that name up to 100,000 rooms. */
export const longBodyLimit = 4 * 1024 * 1024
/** Requests whose caller has a session. */
const admitted = new WeakSet<IncomingMessage>()
/** A caller without a session has this many times the permitted silence for the whole body. */
const silencesAtMost = 4
const lingerMilliseconds = 20_000
const tooLarge = 413

export function limitBodies(app: FastifyInstance): void {
  // The body of a request for an unknown path is not read.
  app.addHook('onRequest', async (request) => {
    if (request.is404 && hasBody(request.raw)) throw refuse('no-such-call')
  })
  // A client that is still sending would take a closed connection for a failure and never see the answer.
  app.addHook('onResponse', async ({ raw }, { statusCode }) => {
    if (statusCode === tooLarge && !admitted.has(raw)) closeOnceRead(raw)
    if (raw.complete) return
    const closing = setTimeout(() => raw.destroy(), lingerMilliseconds)
    raw.once('close', () => clearTimeout(closing))
    raw.resume()
  })
}

/** Called when the caller has a session: the body may take any time as long as it makes progress. */
export function admit(raw: IncomingMessage): void {
  admitted.add(raw)
}

/**
 * @returns a check that ends the connection when the client owes the rest of its newest request and has sent nothing
 * since the last check, or takes too long
 */
export function watchBodies(
  socket: Socket,
  newest: () => IncomingMessage | undefined,
  silenceMilliseconds: number,
): () => void {
  let judged: IncomingMessage | undefined
  let deadline = 0
  let seen = 0
  return () => {
    const raw = newest()
    if (raw === undefined || raw.complete) return
    const isNew = raw !== judged
    if (isNew) deadline = Date.now() + silencesAtMost * silenceMilliseconds
    // If bytes have arrived that we have not read yet, we are slow, not the client.
    const isSilent = !isNew && socket.bytesRead === seen && raw.readableLength === 0
    judged = raw
    seen = socket.bytesRead
    if (!isSilent && (admitted.has(raw) || Date.now() <= deadline)) return
    refuseUnread(socket, 408, requestIdOf(raw))
    socket.destroySoon()
  }
}

function closeOnceRead(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.complete) raw.socket.destroySoon()
  else raw.once('end', () => raw.socket.destroySoon())
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
