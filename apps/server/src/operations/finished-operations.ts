/** What has ended lately, for the panel of operations and for those who wait for an operation's end. */
import { type FinishedOperation, rolesWith } from '@roomkeeper/contract'
import { isActorOf } from '@roomkeeper/rules'
import { type Db, queryRows } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import type { OperationsCore } from './manage-operation.ts'
import { namedRegions } from './named-regions.ts'

const hours = 12
const mostShown = 50
/** Of these, the failures come first: a failure stays in view although many others succeed after it. */
const mostRead = 5000

/**
 * Everybody is told how operations ended; why one failed is for those who may manage its kind, as its log is, and for
 * whoever started it, also with a token.
 * @param ids the operations to look for; empty: those of the last hours, failures first, then by their end. Parts of
 *   other operations are left out unless they failed, and so are successes of work that nobody waits for.
 */
export async function finishedOperations(
  { database: { db }, kinds }: Pick<OperationsCore, 'database' | 'kinds'>,
  ids: readonly string[],
  caller: Caller,
): Promise<FinishedOperation[]> {
  const rows = await (ids.length === 0 ? readRecent(db) : readSome(db, ids))
  return rows.map((row) => {
    const managedBy = kinds.newest(row.kind)?.managedBy ?? 'admin'
    const maySeeWhy = rolesWith[managedBy].includes(caller.role) || isActorOf(row.startedBy, caller.email)
    return maySeeWhy ? row : { ...row, errorText: null, errorReasons: [] }
  })
}

const columns = `o.id as operation_id, kind, process_type, room_name as project_room_name, state, started_by, ended_at,
  case when state = 'failed' then error end as error_text,
  coalesce(case when state = 'failed' then error_reasons end, '[]') as error_reasons, ${namedRegions('o')}`

function readRecent(db: Db): Promise<FinishedOperation[]> {
  return queryRows<FinishedOperation>(
    db,
    `select ${columns} from (
        select * from operations where ended_at > now() - make_interval(hours => $1) order by ended_at desc limit $2
      ) as o
      where state = 'failed' or (parent_id is null
        and (process_type is not null or room_id is not null or started_by <> 'system'))
      order by state <> 'failed', ended_at desc limit $3`,
    [hours, mostRead, mostShown],
  )
}

function readSome(db: Db, ids: readonly string[]): Promise<FinishedOperation[]> {
  return queryRows<FinishedOperation>(
    db,
    `select ${columns} from operations o where id = any($1::uuid[]) and state in ('done', 'failed', 'cancelled')`,
    [ids],
  )
}
