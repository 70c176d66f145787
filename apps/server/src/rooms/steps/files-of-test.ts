import { ofAttempts } from './of-attempts.ts'

/**
 * The names under which a restore in a test sends the backup to its region: one of its own for each attempt, so that
 * what an earlier one has left there is never taken for what the store holds. The backup's id is not among them, under
 * which it may be sent there to be restored into a room.
 */
export function filesOfTest({ id, attempt }: { id: string; attempt: number }): [string, ...string[]] {
  return ofAttempts(attempt, (number) => `verify-${id}-${number}`)
}
