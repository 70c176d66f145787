/** What PostgreSQL's errors mean to callers. */
import { NotOurDatabase } from '@roomkeeper/embedded-postgres-server/scram'

/** No answer at all, as from a host that is lost or frozen; it may go on for very long. */
const silentCodes = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
const silentTexts = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated due to connection timeout',
  'Query read timeout',
]
const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT'])
/**
 * Classes of SQLSTATE that say nothing about the statement: connections (08), resources such as the disk (53),
 * operators' interventions (57), the system (58). And a database that takes no writes, as after a failover (25006).
 */
/** 25P03: a transaction that was left open, by a process that was frozen. */
const passingStates = /^(08|53|57|58)...$|^25006$|^25P03$/
const connectionTexts = [
  'Connection terminated',
  'Client has encountered a connection error',
  'the database system is',
  'Client was closed and is not queryable',
]

/**
 * The database could not be reached, went away, or cannot do anything at the moment: the same call may succeed later.
 * When the answer to a commit was lost, it may have succeeded already.
 */
export function databaseIsUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(databaseIsUnreachable)
  if (isOfFile(error)) return false
  if (databaseIsSilent(error)) return true
  if ('code' in error && (connectionCodes.has(String(error.code)) || passingStates.test(String(error.code))))
    return true
  return connectionTexts.some((text) => error.message.includes(text))
}

/** It can be reached, and ended a statement that took longer than it may, or that somebody cancelled. */
export function statementWasEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(statementWasEnded)
  return 'code' in error && error.code === '57014'
}

export function databaseIsSilent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(databaseIsSilent)
  // It answered; its message may hold words of whoever it is.
  if (error instanceof NotOurDatabase || isOfFile(error)) return false
  if ('code' in error && silentCodes.has(String(error.code))) return true
  return silentTexts.some((text) => error.message.includes(text))
}

/** Also a disk in the network has the codes of connections. Sockets have an address; when one is gone, that is ENOENT. */
function isOfFile(error: Error): boolean {
  return 'path' in error && !('syscall' in error && error.syscall === 'connect')
}

/** Two transactions waited for each other, and this one was ended for it: the same work may succeed at once. */
export function wasDeadlocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['40P01', '40001'].includes(String(error.code))
}

/** A unique index refused the row. `constraint` names it. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

/** The row that this one belongs to is gone. */
export function violatesForeignKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503'
}

/** PostgreSQL's texts hold every character but NUL, and no halves of characters; it says so when it gets them. */
export function textIsUnstorable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['22021', '22P05'].includes(String(error.code))
}
