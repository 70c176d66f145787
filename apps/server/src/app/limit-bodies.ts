/**
 * Clients that begin a request and never end it would hold a connection for ever. What makes progress goes on, however
 * slowly; only strangers have no more than a few minutes in all.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/refuse.ts'
import { refuseUnread, requestIdOf } from './request-ids.ts'

/** Of what nobody has been admitted for: credentials, names, addresses. */
export const bodyLimitOfStrangers = 64 * 1024
/** Requests whose sender has been let in. */
const admitted = new WeakSet<IncomingMessage>()
/** How many times the longest silence a stranger's whole body may take. */
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

/** Its sender has been let in: its body may take as long as it makes progress. */
export function admit(raw: IncomingMessage): void {
  admitted.add(raw)
}

/** @returns what looks whether the client owes the rest of its newest request and sends none of it, or takes too long */
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
    // What has come and was not taken yet is our delay, not the client's.
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
