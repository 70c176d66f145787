/**
 * Connections on which the server first has to prove, by SCRAM, that it knows the password's verifier. While PostgreSQL
 * is down, another user of the machine can listen on its port, and ask for the password in clear, for a hash of it, or
 * for nothing, to receive our statements. node-postgres would send all that. This does what libpq's
 * `require_auth=scram-sha-256` does.
 */
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { readUntilProof } from './before-proof.ts'

/** libpq's parameter for connection URLs. */
export const requireAuth = 'require_auth'
export const scram = 'scram-sha-256'

/** Its code marks it as transient: connections work again as soon as our PostgreSQL is back on its port. */
export class NotOurDatabase extends Error {
  readonly code = 'ECONNREFUSED'
}

/**
 * The server sent an error instead of the proof, such as a wrong password, or that it is starting or takes no more
 * connections. Its text is passed on. But anybody may have sent it, so its code and other fields decide nothing.
 */
export class ErrorBeforeProof extends NotOurDatabase {}

const longestWords = 200

/** node-postgres's client for the URL of an embedded PostgreSQL. For other classes of clients, call `requireScram`. */
export class ScramClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config)
    requireScram(this)
  }
}

const demands = {
  authenticationCleartextPassword: 'asks for the password in clear',
  authenticationMD5Password: 'asks for an MD5 hash of the password',
} as const

/** Makes a client require the proof. Call it before the client connects, so that it sees messages first. */
export function requireScram(client: pg.Client): void {
  const { connection } = client
  let isOver = false
  let isProving = false
  let hasProven = false
  const refuse = (what: string, Kind = NotOurDatabase) => {
    if (isOver) return
    isOver = true
    const { host, port } = client
    const message = `What answers as the database at ${host}:${port} ${what}: nothing was told to it.`
    // Emit the error first, so that callers do not see a success; then prevent any further write.
    connection.emit('error', new Kind(message))
    connection.stream.destroy()
  }
  readFirst(connection, (stream) =>
    readUntilProof(stream, { hasProven: () => hasProven, isOver: () => isOver, refuse }),
  )
  for (const [event, what] of Object.entries(demands)) connection.on(event, () => refuse(what))
  connection.on('errorMessage', ({ message }: { message?: string }) => {
    const words = showable(message ?? '')
    if (!hasProven) refuse(`says “${words}” before it has proven itself`, ErrorBeforeProof)
  })
  connection.on('authenticationSASL', () => {
    isProving = true
  })
  connection.on('authenticationSASLFinal', () => {
    hasProven = true
  })
  // An error of the connection, which has then ended, or of the proof, which node-postgres checks when it arrives.
  connection.on('error', () => {
    hasProven = false
    if (isProving && !connection.stream.destroyed) refuse('cannot prove that it knows the password')
  })
  const needProof = () => {
    isProving = false
    if (!hasProven) refuse('does not ask for the password by SCRAM')
  }
  connection.on('authenticationOk', needProof)
  connection.on('readyForQuery', needProof)
}

/** Lets node-postgres read what `screen` passes on instead of the stream (with TLS, the stream inside it). */
function readFirst(connection: pg.Connection, screen: (stream: Duplex) => EventEmitter): void {
  const reader = connection as pg.Connection & { attachListeners(stream: EventEmitter): void }
  const read = reader.attachListeners.bind(reader)
  reader.attachListeners = (stream) => read(screen(stream as Duplex))
}

/** Makes a text fit for a log: without control characters, and not too long. */
function showable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, longestWords)
    .toWellFormed()
}
