/**
 * Connections on which the server first has to prove, by SCRAM, that it knows the password's verifier. Where PostgreSQL
 * is down, another user of the machine can listen on its port and ask for the password in clear, or for a hash of it,
 * or for nothing at all, to hear our statements. node-postgres would tell; libpq's `require_auth=scram-sha-256` is the
 * same as this.
 */
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { readUntilProof } from './before-proof.ts'

/** The parameter of a connection URL, as libpq has it. */
export const requireAuth = 'require_auth'
export const scram = 'scram-sha-256'

/** The code is one of those that mean: it may go well later. It does, as soon as our PostgreSQL is back on its port. */
export class NotOurDatabase extends Error {
  readonly code = 'ECONNREFUSED'
}

/**
 * An error instead of the proof, such as that the password is wrong, or that it starts or takes no more connections. Its
 * words are told, but they may be anybody's: its code and its other fields decide nothing.
 */
export class ErrorBeforeProof extends NotOurDatabase {}

const longestWords = 200

/** node-postgres's client, for the URL of an embedded PostgreSQL. For another kind of client call `requireScram`. */
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

/** To be called before it connects: what is refused here is heard before node-postgres hears it. */
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
    // First the error, so that callers do not see a success; then nothing can be written any more.
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
  // Of the connection, which then has ended, or of the proof, which node-postgres checks when it comes.
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

/** Where node-postgres begins to read the stream, with TLS that within it, it reads what `screen` gives it instead. */
function readFirst(connection: pg.Connection, screen: (stream: Duplex) => EventEmitter): void {
  const reader = connection as pg.Connection & { attachListeners(stream: EventEmitter): void }
  const read = reader.attachListeners.bind(reader)
  reader.attachListeners = (stream) => read(screen(stream as Duplex))
}

/** As far as it can be shown in a log: without control characters, and not too long. */
function showable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, longestWords)
    .toWellFormed()
}
