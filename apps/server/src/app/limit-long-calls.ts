/**
 * Limits how many calls with a long body each operator has under way in this process: to read such a body keeps all
 * others waiting for some hundredths of a second.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '#platform/refuse.ts'

export interface LongCallLimit {
  /** Before the body is read; the place is free again when the call is over. @throws Refusal `too-many-long-calls` */
  enter(operatorId: string, request: IncomingMessage, reply: ServerResponse): void
}

const mostOfOperator = 2
/** Bytes; about 3,000 names of project rooms. Shorter bodies take as little time as any call. */
const longFrom = 64 * 1024

export function createLongCallLimit(): LongCallLimit {
  /** Whose calls are under way. */
  const underWay: string[] = []
  return {
    enter(operatorId, { headers }, reply) {
      // A body in chunks does not say how long it is.
      if (Number(headers['content-length'] ?? longFrom) < longFrom) return
      if (underWay.filter((each) => each === operatorId).length >= mostOfOperator)
        throw refuse('too-many-long-calls', { max: mostOfOperator })
      // A client that is gone closes no more, and its place would never be free again.
      if (reply.closed || reply.destroyed) return
      underWay.push(operatorId)
      reply.once('close', () => underWay.splice(underWay.indexOf(operatorId), 1))
    },
  }
}
