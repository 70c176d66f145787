/** Classifies PostgreSQL's errors for callers. */
import { NotOurDatabase } from '@roomkeeper/embedded-postgres-server/scram'
import pg from 'pg'
import { ConnectionLost, ReadOnlyServer } from './database/guarded-client.ts'
import { hasCode } from './system-error.ts'

/** No answer at all, as from a host that is lost or frozen; this may last. */
const silentCodes = ['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']
const connectionCodes = [...silentCodes, 'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT']
/**
 * Classes of SQLSTATE that say nothing about the statement: connections (08), resources such as the disk (53),
 * operators' interventions (57), the system (58). And a database that takes no writes, as after a failover (25006).
 */
/** 25P03: a transaction that was left open, by a process that was frozen. */
const passingStates = /^(08|53|57|58)...$|^25006$|^25P03$/

/**
 * The database could not be reached, the connection was lost, or it cannot work at the moment: the same call may
 * succeed later. When the answer to a commit was lost, it may have succeeded already.
 */
export function databaseIsUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(databaseIsUnreachable)
  if (error instanceof pg.DatabaseError) return passingStates.test(error.code ?? '')
  if (error instanceof ConnectionLost || error instanceof ReadOnlyServer) return true
  return hasCode(error, ...connectionCodes) && !isOfFile(error)
}

/** The database ended a statement that took too long, or that somebody cancelled. */
export function statementWasEnded(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(statementWasEnded)
  return hasState(error, '57014')
}

export function databaseIsSilent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(databaseIsSilent)
  // It answered.
  if (error instanceof NotOurDatabase) return false
  return hasCode(error, ...silentCodes) && !isOfFile(error)
}

/**
 * Errors of a network disk have the codes of connections, too. Those of sockets have an address; a missing socket is
 * ENOENT.
 */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && 'path' in error && !('syscall' in error && error.syscall === 'connect')
}

/** Two transactions waited for each other, and this one was ended for it: the same work may succeed at once. */
export function wasDeadlocked(error: unknown): boolean {
  return hasState(error, '40P01', '40001')
}

/** A lock that others hold did not come within the `lock_timeout` of the connection. */
export function lockTimedOut(error: unknown): boolean {
  return hasState(error, '55P03')
}

/** A unique index refused the row. `constraint` names it. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return hasState(error, '23505') && error.constraint === constraint
}

/** The row that this one belongs to is gone. */
export function violatesForeignKey(error: unknown): boolean {
  return hasState(error, '23503')
}

/** PostgreSQL's texts hold every character but NUL, and no halves of characters; it says so when it gets them. */
export function textIsUnstorable(error: unknown): boolean {
  return hasState(error, '22021', '22P05')
}

/** By its SQLSTATE. */
function hasState(error: unknown, ...states: readonly string[]): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && states.includes(error.code ?? '')
}
