/** For requests that are answered with the operation's result if it ends soon enough. */
import type { OperationState, Reasons } from '@roomkeeper/contract'
import type { Db } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'

export interface OperationEnd {
  state: 'done' | 'failed' | 'cancelled'
  /** Why it failed; empty if it did not. */
  reasons: Reasons
}

const firstPauseMilliseconds = 25
const longestPauseMilliseconds = 250

/** How the operation ended, whichever process runs it; null: it has not ended after this many seconds. */
export async function awaitOperation(db: Db, operationId: string, seconds: number): Promise<OperationEnd | null> {
  const deadline = Date.now() + seconds * 1000
  for (let wait = firstPauseMilliseconds; ; wait = Math.min(wait * 1.5, longestPauseMilliseconds)) {
    const row = await db
      .selectFrom('operations')
      .select(['state', 'errorReasons'])
      .where('id', '=', operationId)
      .executeTakeFirst()
    if (row !== undefined && hasEnded(row.state)) return { state: row.state, reasons: row.errorReasons ?? [] }
    if (Date.now() > deadline) return null
    await pause(wait)
  }
}

function hasEnded(state: OperationState): state is OperationEnd['state'] {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}
