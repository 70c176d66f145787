/** Housekeeping: removes old operations, idempotency keys and secrets. */
import { type Database, queryRows } from '#platform/database.ts'
import { removeOldKeys } from './idempotency.ts'
import { removeOldItems } from './items/index.ts'

const keptDays = 90

export async function tidyOperations(database: Database): Promise<void> {
  await removeOldKeys(database.db)
  await removeOldOperations(database)
  await removeOldItems(database.db)
  await forgetOldSecrets(database)
}

/** Keeps the operations of a room that is in ERROR, because the last of them can be retried. */
async function removeOldOperations({ db }: Database): Promise<void> {
  await queryRows(
    db,
    `delete from operations o where o.ended_at < now() - make_interval(days => $1)
        and not exists (select 1 from rooms r where r.id = o.room_id and r.state = 'ERROR')`,
    [keptDays],
  )
}

/** A failed operation keeps its secrets for a day, so that it can be retried. */
async function forgetOldSecrets({ db }: Database): Promise<void> {
  await queryRows(
    db,
    `update operations set input = input - 'sealed'
      where state = 'failed' and ended_at < now() - interval '24 hours' and input ? 'sealed'`,
  )
}
