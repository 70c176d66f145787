/** Rooms that got the SAP contract number of another room before the database refused that (schema change 050). */
import { type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'

const namedAtMost = 20

/** Says in the log which rooms need another number. They work as before, and an edit of the number mends them. */
export async function warnOfSharedSapNumbers(db: Db, log: Pick<Log, 'warn'>): Promise<void> {
  const found = await queryRows<{ name: string }>(
    db,
    `select name from rooms where shares_sap_number order by name limit ${namedAtMost}`,
  )
  if (found.length === 0) return
  log.warn({ rooms: found.map(({ name }) => name) }, 'project rooms have the SAP contract number of another room')
}
