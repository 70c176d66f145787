/** The history of a room, from the audit trail. */
import { type Db, queryRows } from '#platform/database.ts'
import { type AuditPage, readEntries } from './find-audit.ts'
import { sealAudit } from './seal-audit.ts'

/** Newest first. A later room of the same name has its own history. */
export async function roomHistory(
  db: Db,
  roomId: string,
  { page, size }: { page: number; size: number },
): Promise<AuditPage> {
  await sealAudit(db)
  const data = await readEntries(
    db,
    'where audit.id in (select id from audit where room_id = $1 order by id desc limit $2 offset $3::bigint * $2) order by audit.id desc',
    [roomId, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, 'select count(*) as total from audit where room_id = $1', [
    roomId,
  ])
  const totalElements = count?.total ?? 0
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}
