/**
 * Clients that begin a request and never end it would hold a connection for ever. What makes progress goes on, however
 * slowly; only strangers have no more than a few minutes in all.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#platform/refuse.ts'

/** Of what nobody has been admitted for: credentials, names, addresses. */
export const bodyLimitOfStrangers = 64 * 1024
/** How many times the longest silence a stranger's whole body may take. */
const patience = 4
const lingerMilliseconds = 20_000

/** @param silenceSeconds how long a client may send nothing, and at most twice as long, while it owes a head or body */
export function limitBodies(app: FastifyInstance, silenceSeconds: number): void {
  app.addHook('onRequest', async (request) => watch(request, silenceSeconds * 1000))
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

/** For `http.createServer`: the same for the heads of requests. */
export function headLimits(silenceSeconds: number) {
  const milliseconds = silenceSeconds * 1000
  return { headersTimeout: milliseconds, connectionsCheckingInterval: milliseconds / 2 }
}

function watch(request: FastifyRequest, milliseconds: number): void {
  const { raw } = request
  if (!hasBody(raw)) return
  const { socket } = raw
  const deadline = Date.now() + patience * milliseconds
  let seen = socket.bytesRead
  const looking = setInterval(() => {
    if (raw.complete) return clearInterval(looking)
    // What has come and was not taken yet is our delay, not the client's.
    const isSilent = socket.bytesRead === seen && raw.readableLength === 0
    seen = socket.bytesRead
    if (isSilent || (request.caller === undefined && Date.now() > deadline)) cut(raw)
  }, milliseconds)
  socket.once('close', () => clearInterval(looking))
  raw.once('close', () => clearInterval(looking))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function cut({ socket }: IncomingMessage): void {
  if (socket.writable) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  socket.destroySoon()
}
