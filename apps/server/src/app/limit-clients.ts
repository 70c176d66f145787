/**
 * Time limits for connections: for the rest of a request, and for answers that the client does not read. They hold from
 * the first request on, whatever it is: also for one that Node or Fastify answers before any hook, such as a request
 * with an invalid URL or an unknown `Expect`.
 */
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { watchBodies } from './limit-bodies.ts'
import { watchReader } from './limit-readers.ts'

export interface ClientTimeouts {
  /** How long a client may send nothing, and at most twice as long, while it owes a head or body. */
  requestTimeoutSeconds: number
  /** How long a client may take nothing, and at most twice as long, while an answer waits for it. */
  answerTimeoutSeconds: number
}

/** For `http.createServer`, of which Fastify may make several (one for each address of a name). */
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

/** setImmediate: bytes that arrived while this process was busy are read before the check. */
function checkPeriodically(socket: Socket, milliseconds: number, check: () => void): void {
  const timer = setInterval(() => {
    setImmediate(() => {
      if (!socket.destroyed) check()
    })
  }, milliseconds)
  socket.once('close', () => clearInterval(timer))
}
