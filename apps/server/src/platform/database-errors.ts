/** What PostgreSQL's errors mean to callers. */

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Connection exceptions, and a server that starts, stops or is out of connections.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // A statement that took too long, and a server that has become a standby.
  '57014',
  '25006',
])
const connectionTexts = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'the database system is',
]

/** The database could not be reached or went away: the same call may succeed later. */
export function databaseIsUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(databaseIsUnreachable)
  if ('code' in error && connectionCodes.has(String(error.code))) return true
  return connectionTexts.some((text) => error.message.includes(text))
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

/** PostgreSQL's texts hold every character but NUL, and no halves of characters; it says so when it gets them. */
export function textIsUnstorable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['22021', '22P05'].includes(String(error.code))
}
