/**
 * Time limits for connections: for the rest of a request, and for answers that the client does not read. They apply
 * from the first request on, even one that Node or Fastify answers before any hook runs, such as a request with an
 * invalid URL or an unknown `Expect`.
 */
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { watchBodies } from './limit-bodies.ts'
import { watchReader } from './limit-readers.ts'

export interface ClientTimeouts {
  /** How long a client may be silent while its head or body is incomplete. It is cut off by twice this time. */
  requestTimeoutSeconds: number
  /** How long a client may leave an answer unread. It is cut off by twice this time. */
  answerTimeoutSeconds: number
}

/** Options for `http.createServer`. Fastify may create several servers, one for each address of a host name. */
export function clientLimits({ requestTimeoutSeconds, answerTimeoutSeconds }: ClientTimeouts) {
  const requestMilliseconds = requestTimeoutSeconds * 1000
  const newest = new WeakMap<Socket, IncomingMessage>()

  class WatchedRequest extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      const isKnown = newest.has(socket)
      newest.set(socket, this)
      if (isKnown) return
      checkPeriodically(
        socket,
        requestMilliseconds,
        watchBodies(socket, () => newest.get(socket), requestMilliseconds),
      )
      checkPeriodically(socket, answerTimeoutSeconds * 1000, watchReader(socket))
    }
  }

  return {
    headersTimeout: requestMilliseconds,
    connectionsCheckingInterval: requestMilliseconds / 2,
    IncomingMessage: WatchedRequest,
  }
}

/** setImmediate lets the process first read the bytes that arrived while it was busy. */
function checkPeriodically(socket: Socket, milliseconds: number, check: () => void): void {
  const timer = setInterval(() => {
    setImmediate(() => {
      if (!socket.destroyed) check()
    })
  }, milliseconds)
  socket.once('close', () => clearInterval(timer))
}
