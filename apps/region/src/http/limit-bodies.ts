/**
 * Ends the connections of clients that start a request and never finish it. A request may go on as long as it makes
 * progress, however slowly, but a caller without a session has only a few minutes in total.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#refusals.ts'

/** The limit in bytes for the body of a sign-in. */
export const bodyLimitWithoutSession = 64 * 1024
/** The requests whose caller has a session. */
const admitted = new WeakSet<IncomingMessage>()
/** A caller without a session must send the whole body within this many times the longest silence allowed. */
const patience = 4
const lingerMilliseconds = 20_000
const tooLarge = 413

export function limitBodies(app: FastifyInstance): void {
  // The body of a call that does not exist is not read.
  app.addHook('onRequest', async (request) => {
    if (request.is404 && hasBody(request.raw)) throw refuse('no-such-call')
  })
  // A client that is still sending would take a closed connection for a failure and never see the answer, so the rest
  // of its body is read for a while.
  app.addHook('onResponse', async ({ raw }, { statusCode }) => {
    if (statusCode === tooLarge && !admitted.has(raw)) closeOnceRead(raw)
    if (raw.complete) return
    const closing = setTimeout(() => raw.destroy(), lingerMilliseconds)
    raw.once('close', () => clearTimeout(closing))
    raw.resume()
  })
}

/** Records that the caller has a session: its body may take any time, as long as it makes progress. */
export function admit(raw: IncomingMessage): void {
  admitted.add(raw)
}

/**
 * @returns a check that ends the connection if the rest of the client's newest request is missing, and the client has
 * sent nothing since the last check or takes too long in total
 */
export function watchBodies(
  socket: Socket,
  newest: () => IncomingMessage | undefined,
  silenceMilliseconds: number,
): () => void {
  let checked: IncomingMessage | undefined
  let deadline = 0
  let seen = 0
  return () => {
    const raw = newest()
    if (raw === undefined || raw.complete) return
    const isNew = raw !== checked
    if (isNew) deadline = performance.now() + patience * silenceMilliseconds
    // If bytes have arrived that we have not read yet, the delay is ours, not the client's.
    const isSilent = !isNew && socket.bytesRead === seen && raw.readableLength === 0
    checked = raw
    seen = socket.bytesRead
    if (isSilent || (!admitted.has(raw) && performance.now() > deadline)) endWithTimeout(socket)
  }
}

function closeOnceRead(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.complete) raw.socket.destroySoon()
  else raw.once('end', () => raw.socket.destroySoon())
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function endWithTimeout(socket: Socket): void {
  if (socket.writable) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  socket.destroySoon()
}
