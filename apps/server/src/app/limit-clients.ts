/**
 * What a connection may keep to itself: the rest of a request, or what waits for its reader. It is looked at from its
 * first request on, whatever kind that is: also one whose address cannot be read, or that expects what we do not do,
 * which Fastify and Node answer before any hook.
 */
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { watchBodies } from './limit-bodies.ts'
import { watchReader } from './limit-readers.ts'

export interface Patience {
  /** How long a client may send nothing, and at most twice as long, while it owes a head or body. */
  requestTimeoutSeconds: number
  /** How long a client may take nothing, and at most twice as long, while an answer waits for it. */
  answerTimeoutSeconds: number
}

/** For `http.createServer`, of which Fastify may make several (one for each address of a name). */
export function clientLimits({ requestTimeoutSeconds, answerTimeoutSeconds }: Patience) {
  const requestMilliseconds = requestTimeoutSeconds * 1000
  const newest = new WeakMap<Socket, IncomingMessage>()

  class WatchedRequest extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      const isKnown = newest.has(socket)
      newest.set(socket, this)
      if (isKnown) return
      lookNowAndThen(
        socket,
        requestMilliseconds,
        watchBodies(socket, () => newest.get(socket), requestMilliseconds),
      )
      lookNowAndThen(socket, answerTimeoutSeconds * 1000, watchReader(socket))
    }
  }

  return {
    headersTimeout: requestMilliseconds,
    connectionsCheckingInterval: requestMilliseconds / 2,
    IncomingMessage: WatchedRequest,
  }
}

/** What came while this process was busy with other things is heard before it is judged. */
function lookNowAndThen(socket: Socket, milliseconds: number, look: () => void): void {
  const looking = setInterval(() => {
    setImmediate(() => {
      if (!socket.destroyed) look()
    })
  }, milliseconds)
  socket.once('close', () => clearInterval(looking))
}
