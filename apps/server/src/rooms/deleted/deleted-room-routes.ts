/** The calls about deleted rooms that can come back, and about those that were purged. */

import type { DeletedRoom } from '@roomkeeper/contract'
import { hasDamagedIndexes, isKnownBad } from '#backups/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { findCertificate, listPurgedRooms } from '../purge/certificate.ts'
import { startPurge } from '../purge/purge-room.ts'
import type { RoomCore } from '../start-for-room.ts'
import { backupToReturn } from './deleted-rooms.ts'
import { startRestore } from './restore-deleted-room.ts'

type DeletedRoomHandlers = Pick<
  Handlers,
  'deletedRooms' | 'restoreDeletedRoom' | 'purgeDeletedRoom' | 'purgedRooms' | 'purgeCertificate'
>

/** @param keepDays for how many days rooms that are deleted from now on can come back */
export function deletedRoomHandlers(core: RoomCore, keepDays: number): DeletedRoomHandlers {
  return {
    deletedRooms: async ({ query }) => ok({ ...(await listDeletedRooms(core.database.db, query)), keepDays }),
    restoreDeletedRoom: async (call) => accepted(await startRestore(core, call, { id: call.params.id, ...call.body })),
    purgeDeletedRoom: async (call) => accepted(await startPurge(core, call, { id: call.params.id, ...call.body })),
    purgedRooms: async ({ query }) => ok(await listPurgedRooms(core.database.db, query)),
    purgeCertificate: async ({ params }) => ok(await findCertificate(core.database.db, params.id)),
  }
}

interface Wanted {
  page: number
  size: number
  search: string
}

/** A row, with its backup apart in columns: JSON would have PostgreSQL's form of times. */
type Row = Omit<DeletedRoom, 'backup'> & { [Name in keyof Backup as `backup${Capitalize<Name>}`]: Backup[Name] }
type Backup = NonNullable<DeletedRoom['backup']>

/** @param row a row of deleted_rooms */
const stateOf = (row: string) => `case
  when exists (select from operations o where o.id = ${row}.operation_id and o.ended_at is null)
    then case (select kind from operations o where o.id = ${row}.operation_id)
      when 'room.purge' then 'PURGING' else 'RESTORING' end
  when ${row}.purge_begun_at is not null then 'PURGE_FAILED'
  else 'KEPT' end`

/** A room that has expired is not listed any more, even if housekeeping has not removed it yet. */
const matching = `deleted_rooms d where (kept_until > now() or operation_id is not null or purge_begun_at is not null)
  and ($1 = '' or position(lower($1) in lower(concat_ws(E'\\x1f', d.name, customer_email, company_name))) > 0)`

async function listDeletedRooms(db: Db, { page, size, search }: Wanted) {
  const rows = await queryRows<Row>(
    db,
    `with page as (select d.* from ${matching} order by deleted_at desc, d.id limit $2 offset $3::bigint * $2)
     select p.id, p.name as project_room_name, p.product, p.edition, p.customer_email, p.company_name, p.deleted_at,
            p.deleted_by, p.kept_until, p.operation_id, ${stateOf('p')} as state,
            (select r.name from regions r where r.id = (p.columns ->> 'region_id')::int) as region_name,
            b.id as backup_id, b.created_at as backup_created_at, b.size as backup_size, b.sha256 as backup_sha256, b.kind as backup_kind, b.location as backup_location,
            b.read_back_at as backup_checked_at, b.restored_at as backup_verified_at, ${isKnownBad} as backup_is_known_bad, ${hasDamagedIndexes} as backup_has_damaged_indexes
       from page p left join lateral ${backupToReturn('p')} b on true order by p.deleted_at desc, p.id`,
    [search, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, `select count(*)::int as total from ${matching}`, [search])
  const totalElements = count?.total ?? 0
  return { data: rows.map(presentDeleted), totalElements, totalPages: Math.ceil(totalElements / size) }
}

function presentDeleted(row: Row): DeletedRoom {
  const { backupId, backupCreatedAt, backupSize, backupSha256, backupKind, backupLocation, ...others } = row
  const { backupCheckedAt, backupVerifiedAt, backupIsKnownBad, backupHasDamagedIndexes, ...room } = others
  if (backupId === null) return { ...room, backup: null }
  const backup = {
    id: backupId,
    createdAt: backupCreatedAt,
    size: backupSize,
    sha256: backupSha256,
    kind: backupKind,
    location: backupLocation,
    checkedAt: backupCheckedAt,
    verifiedAt: backupVerifiedAt,
    isKnownBad: backupIsKnownBad,
    hasDamagedIndexes: backupHasDamagedIndexes,
  }
  return { ...room, backup }
}
