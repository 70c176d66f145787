/** Classifies PostgreSQL's errors for callers. */
import pg from 'pg'
import { ConnectionLost, ReadOnlyServer } from './database/guarded-client.ts'
import { NoFreeConnection } from './database/guarded-pool.ts'
import { hasCode } from './system-error.ts'

/** No answer at all, as from a lost or frozen host; this may last. */
const silentCodes = ['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']
const connectionCodes = [...silentCodes, 'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT']
/**
 * SQLSTATEs whose cause is not the statement: the classes connection (08), resources such as the disk (53), operator
 * intervention (57) and system (58); a database that takes no writes, as after a failover (25006); a transaction that a
 * frozen process left open (25P03).
 */
const transientStates = /^(08|53|57|58)...$|^25006$|^25P03$/

/**
 * The database could not be reached, the connection was lost, or the database cannot work at the moment: the same call
 * may succeed later. If the answer to a commit was lost, the commit may have succeeded already.
 */
export function databaseIsUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(databaseIsUnreachable)
  if (error instanceof pg.DatabaseError) return transientStates.test(error.code ?? '')
  if (error instanceof ConnectionLost || error instanceof ReadOnlyServer) return true
  return hasCode(error, ...connectionCodes) && !isOfFile(error)
}

/** The database ended a statement that took too long, or that was cancelled. */
export function statementWasEnded(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(statementWasEnded)
  return hasState(error, '57014')
}

/** PostgreSQL answers, but others had all connections of the pool for too long. It counts as unreachable, too. */
export function waitedForOthers(error: unknown): boolean {
  return error instanceof NoFreeConnection
}

export function databaseIsSilent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(databaseIsSilent)
  return hasCode(error, ...silentCodes) && !isOfFile(error)
}

/**
 * Errors of files on a network disk have the same codes as errors of connections, but they have a path. Only connecting
 * to a socket that does not exist (ENOENT) also gives a path.
 */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'path' in error && !('syscall' in error && error.syscall === 'connect')
}

/** PostgreSQL ended this transaction because it conflicted with another: the same work may succeed at once. */
export function wasDeadlocked(error: unknown): boolean {
  return hasState(error, '40P01', '40001')
}

/** A lock was not free within the connection's `lock_timeout`. */
export function lockTimedOut(error: unknown): boolean {
  return hasState(error, '55P03')
}

/** The unique index `constraint` refused the row. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return hasState(error, '23505') && error.constraint === constraint
}

/** A row refers to another row that does not exist. */
export function violatesForeignKey(error: unknown): boolean {
  return hasState(error, '23503')
}

/** PostgreSQL refused a text because it contains NUL or half a character (a lone surrogate). */
export function textIsUnstorable(error: unknown): boolean {
  return hasState(error, '22021', '22P05')
}

function hasState(error: unknown, ...states: readonly string[]): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && states.includes(error.code ?? '')
}
