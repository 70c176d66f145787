/**
 * Clients that start a request and never finish it would hold a connection for ever. A request that makes progress goes
 * on, however slowly; but callers without a session have only a few minutes in all.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/refuse.ts'
import { refuseUnread, requestIdOf } from './request-ids.ts'

/** For calls without a session: credentials, names, addresses. */
export const bodyLimitWithoutSession = 64 * 1024
/** Requests whose caller has a session. */
const admitted = new WeakSet<IncomingMessage>()
/** A caller without a session may take this many times the longest silence for the whole body. */
const patience = 4
const lingerMilliseconds = 20_000

export function limitBodies(app: FastifyInstance): void {
  // Where there is nothing, nothing is read.
  app.addHook('onRequest', async (request) => {
    if (request.is404 && hasBody(request.raw)) throw refuse('no-such-call')
  })
  // A client that is still sending would take a closed connection for a failure and never see the answer.
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    const closing = setTimeout(() => raw.destroy(), lingerMilliseconds)
    raw.once('close', () => clearTimeout(closing))
    raw.resume()
  })
}

/** The caller has a session: the body may take as long as it makes progress. */
export function admit(raw: IncomingMessage): void {
  admitted.add(raw)
}

/**
 * @returns a check that ends the connection when the client owes the rest of its newest request and sends nothing, or
 * takes too long
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
    if (isNew) deadline = Date.now() + patience * silenceMilliseconds
    // Bytes that have arrived but were not read yet are our delay, not the client's.
    const isSilent = !isNew && socket.bytesRead === seen && raw.readableLength === 0
    judged = raw
    seen = socket.bytesRead
    if (!isSilent && (admitted.has(raw) || Date.now() <= deadline)) return
    refuseUnread(socket, 408, requestIdOf(raw))
    socket.destroySoon()
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
