/**
 * What holds for every connection, also for requests that Node or Fastify answer before any hook runs: each request has
 * an id, which its answer carries as `x-request-id`; bytes that never become a request are answered; and a client that
 * falls silent in a request or an answer is disconnected. A client that makes progress may continue, however slowly; but
 * callers without a session have only a few minutes for a request.
 */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { otherAnswers } from '@roomkeeper/contract'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/refuse.ts'

export interface ClientTimeouts {
  /** How long a client that owes a head or body may send nothing; it is disconnected after twice this time at most. */
  requestTimeoutSeconds: number
  /** How long a client may read nothing of a waiting answer; it is disconnected after twice this time at most. */
  answerTimeoutSeconds: number
}

/** Bytes, for calls without a session: credentials, names, addresses. */
export const bodyLimitWithoutSession = 64 * 1024
/** Bytes, for calls that name up to 100,000 rooms. */
export const longBodyLimit = 4 * 1024 * 1024

/** The time for a whole request without a session, as a multiple of the permitted silence. */
const maxSilences = 4
const lingerMilliseconds = 20_000
const tooLarge = 413
const idHeader = 'x-request-id'

const ids = new WeakMap<IncomingMessage, string>()
/** The newest request of each connection. */
const newest = new WeakMap<Socket, IncomingMessage>()
/** Requests whose caller has a session. */
const admitted = new WeakSet<IncomingMessage>()

/** Options for Fastify. */
export function connectionOptions({ requestTimeoutSeconds, answerTimeoutSeconds }: ClientTimeouts) {
  const requestMilliseconds = requestTimeoutSeconds * 1000
  const answerMilliseconds = answerTimeoutSeconds * 1000

  class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...given)
      newest.set(this.req.socket, this.req)
      this.setHeader(idHeader, requestIdOf(this.req))
      // Fires when the kernel has accepted nothing more of the answer for this time.
      this.on('timeout', endSilent)
      limitSilence(this.req.socket, hasBody(this.req) ? requestMilliseconds : answerMilliseconds)
      if (!hasBody(this.req)) return
      this.req.once('end', () => {
        // Afterwards Node's time for an unused connection holds.
        if (!this.writableFinished) limitSilence(this.req.socket, answerMilliseconds)
      })
    }
  }

  return {
    http: {
      ServerResponse: Answer,
      // Node compares the two before Fastify sets the second.
      headersTimeout: requestMilliseconds,
      requestTimeout: maxSilences * requestMilliseconds,
      connectionsCheckingInterval: requestMilliseconds / 2,
    },
    requestTimeout: maxSilences * requestMilliseconds,
    genReqId: requestIdOf,
    clientErrorHandler: refuseUnreadable,
  }
}

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

function requestIdOf(raw: IncomingMessage): string {
  const known = ids.get(raw)
  if (known !== undefined) return known
  const id = randomUUID()
  ids.set(raw, id)
  return id
}

function limitSilence(socket: Socket, milliseconds: number): void {
  // Set only if it differs, because a client may send very many requests at once.
  if (socket.timeout !== milliseconds) socket.setTimeout(milliseconds)
}

/** Ends a connection on which nothing moves, unless it is this process that is slow. */
function endSilent(this: ServerResponse): void {
  const { req: request } = this
  const { socket } = request
  if (socket.writableLength > 0) socket.destroy()
  else if (!request.complete && request.readableLength === 0) {
    refuseUnread(socket, 408, requestIdOf(request))
    socket.destroySoon()
    // Node's timer fires once, and the next silence may be that of the client.
  } else socket.setTimeout(socket.timeout ?? 0)
}

function closeOnceRead(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.complete) raw.socket.destroySoon()
  else raw.once('end', () => raw.socket.destroySoon())
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

type Unread = 400 | 408 | 431

/** Answers bytes that Node cannot parse, and ends requests that take too long. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const request = newest.get(socket)
  const unfinished = request?.complete === false ? request : null
  const status = statusOf(error.code)
  if (status === 408 && unfinished !== null && admitted.has(unfinished)) return
  refuseUnread(socket, status, unfinished === null ? randomUUID() : requestIdOf(unfinished))
  socket.destroy(error)
}

function statusOf(code: string | undefined): Unread {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}

/** Sends the last answer on a connection, to a request that was not read to its end. */
function refuseUnread(socket: Socket, status: Unread, requestId: string): void {
  if (!socket.writable) return
  const { title, detail } = otherAnswers[`status-${status}`]
  const body = JSON.stringify({ type: 'about:blank', title, status, detail })
  socket.write(
    [
      `HTTP/1.1 ${status} ${title}`,
      `${idHeader}: ${requestId}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
