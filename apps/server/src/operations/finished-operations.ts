/** What has ended lately, for the panel of operations and for those who wait for an operation's end. */
import type { FinishedOperation } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'

const hours = 12
const mostShown = 50
/** Of these, the failures come first: a failure stays in view although many others succeed after it. */
const mostRead = 5000

/**
 * @param ids the operations to look for; empty: those of the last hours, failures first, then by their end. Parts of
 *   other operations are left out unless they failed, and so are successes of work that nobody waits for.
 */
export function finishedOperations(db: Db, ids: readonly string[]): Promise<FinishedOperation[]> {
  return ids.length === 0 ? readRecent(db) : readSome(db, ids)
}

const columns = `id as operation_id, process_type, room_name as project_room_name, state, started_by, ended_at,
  case when state = 'failed' then error end as error_text,
  coalesce(case when state = 'failed' then error_reasons end, '[]') as error_reasons`

function readRecent(db: Db): Promise<FinishedOperation[]> {
  return queryRows<FinishedOperation>(
    db,
    `select ${columns} from (
        select * from operations where ended_at > now() - make_interval(hours => $1) order by ended_at desc limit $2
      ) as recent
      where state = 'failed' or (parent_id is null and (process_type is not null or room_id is not null))
      order by state <> 'failed', ended_at desc limit $3`,
    [hours, mostRead, mostShown],
  )
}

function readSome(db: Db, ids: readonly string[]): Promise<FinishedOperation[]> {
  return queryRows<FinishedOperation>(
    db,
    `select ${columns} from operations where id = any($1::uuid[]) and state in ('done', 'failed', 'cancelled')`,
    [ids],
  )
}
