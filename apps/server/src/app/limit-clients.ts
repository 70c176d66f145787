/**
 * Time limits for connections: for the rest of a request, and for answers that the client does not read. They apply
 * from the first request, even if Node or Fastify answers it before any hook, such as a request with an invalid URL or
 * an unknown `Expect`.
 */
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { watchBodies } from './limit-bodies.ts'
import { watchReader } from './limit-readers.ts'

export interface ClientTimeouts {
  /** How long a client that owes a head or body may send nothing; it is disconnected after twice this time at most. */
  requestTimeoutSeconds: number
  /** How long a client may read nothing of a waiting answer; it is disconnected after twice this time at most. */
  answerTimeoutSeconds: number
}

/** Options for `http.createServer`, which Fastify may call several times (once for each address of a name). */
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

/** setImmediate lets bytes that arrived while this process was busy be read before the check. */
function checkPeriodically(socket: Socket, milliseconds: number, check: () => void): void {
  const timer = setInterval(() => {
    setImmediate(() => {
      if (!socket.destroyed) check()
    })
  }, milliseconds)
  socket.once('close', () => clearInterval(timer))
}
