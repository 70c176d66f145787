/** The rooms of which nothing is left but a certificate. */
import type { PurgeCertificate, PurgedRoom, PurgeStatement } from '@roomkeeper/contract'
import { sealAudit } from '#operators/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

const matching = `purged_rooms
  where $1 = '' or position(lower($1) in lower(concat_ws(E'\\x1f', name, company_name))) > 0`

export async function listPurgedRooms(db: Db, { page, size, search }: { page: number; size: number; search: string }) {
  const data = await queryRows<PurgedRoom>(
    db,
    `select id, name as project_room_name, company_name, purged_at, purged_by from ${matching}
      order by purged_at desc, id limit $2 offset $3::bigint * $2`,
    [search, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, `select count(*)::int as total from ${matching}`, [search])
  const totalElements = count?.total ?? 0
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}

/** @param id the one that the room had among the deleted ones. @throws Refusal `certificate-unknown` */
export async function findCertificate(db: Db, id: string): Promise<PurgeCertificate> {
  await sealAudit(db)
  const [row] = await queryRows<Row>(
    db,
    `select p.statement, p.sha256, p.audit_id, s.position, encode(s.hash, 'hex') as hash
       from purged_rooms p join audit_seals s on s.entry_id = p.audit_id where p.id = $1`,
    [id],
  )
  if (row === undefined) throw refuse('certificate-unknown')
  const { statement, sha256, auditId: entryId, position, hash } = row
  return { ...statement, audit: { entryId, action: 'room.purge', sha256, seal: { position, hash } } }
}

interface Row {
  statement: PurgeStatement
  sha256: string
  auditId: number
  position: number
  hash: string
}
