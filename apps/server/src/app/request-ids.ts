/**
 * Every request has an id, and every answer carries it as `x-request-id`, whatever part of the server answers: Fastify
 * and Node refuse some requests before any hook runs. Bytes that never become a request are answered here.
 */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { otherAnswers } from '@roomkeeper/contract'

const headerName = 'x-request-id'
const ids = new WeakMap<IncomingMessage, string>()

export function requestIdOf(raw: IncomingMessage): string {
  const known = ids.get(raw)
  if (known !== undefined) return known
  const id = randomUUID()
  ids.set(raw, id)
  return id
}

/** The class of answers for `http.createServer`. */
export class AnswerWithId<Request extends IncomingMessage> extends ServerResponse<Request> {
  constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...given)
    this.setHeader(headerName, requestIdOf(this.req))
  }
}

type Unread = 400 | 408 | 431

/** Answers bytes that Node cannot parse: there is no request to answer in the usual way. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  refuseUnread(socket, statusOf(error.code), randomUUID())
  socket.destroy(error)
}

function statusOf(code: string | undefined): Unread {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}

/** Sends the last answer on a connection, to a request that was not read to its end. */
export function refuseUnread(socket: Socket, status: Unread, requestId: string): void {
  if (!socket.writable) return
  const { title, detail } = otherAnswers[`status-${status}`]
  const body = JSON.stringify({ type: 'about:blank', title, status, detail })
  socket.write(
    [
      `HTTP/1.1 ${status} ${title}`,
      `${headerName}: ${requestId}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
