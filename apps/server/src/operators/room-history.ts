/** What was done with a room, from the audit trail. */
import type { AuditEntry } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'

interface HistoryPage {
  data: AuditEntry[]
  totalElements: number
  totalPages: number
}

/** Newest first. A later room of the same name has a history of its own. */
export async function roomHistory(
  db: Db,
  roomId: string,
  { page, size }: { page: number; size: number },
): Promise<HistoryPage> {
  const data = await queryRows<AuditEntry>(
    db,
    `select id, at, actor, action, room_name as room, operation_id as "operationId", detail, changes,
            request_id as "requestId"
       from audit where room_id = $1 order by id desc limit $2 offset $3::bigint * $2`,
    [roomId, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, 'select count(*) as total from audit where room_id = $1', [
    roomId,
  ])
  const totalElements = count?.total ?? 0
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}
