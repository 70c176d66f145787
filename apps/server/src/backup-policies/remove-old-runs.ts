/** Removes records of scheduled backups, and policies, that nobody needs any more: in pieces, because they are many. */
import { type Db, queryRows } from '#platform/database.ts'
import { inPieces, piecesUntil } from '#platform/in-pieces.ts'

const keptDays = 60
const usuallyAtOnce = 5_000
const firstId = '00000000-0000-0000-0000-000000000000'

/** `dueAt`: as PostgreSQL writes it, to the microsecond. */
interface Row {
  policyId: string
  roomId: string
  dueAt: string
}

/**
 * Those of backups that still exist stay: they say which policy keeps them. Each piece goes on behind the one before, also
 * behind the rows that stayed: there may be millions of them.
 */
export async function removeOldRuns(db: Db, atOnce = usuallyAtOnce): Promise<void> {
  let last: Row = { policyId: firstId, roomId: firstId, dueAt: '-infinity' }
  const removeSome = async () => {
    const values = [keptDays, last.dueAt, last.policyId, last.roomId, atOnce]
    const [row] = await queryRows<Row>(db, removeNext, values)
    last = row ?? last
    return row !== undefined
  }
  await piecesUntil(removeSome, Number.POSITIVE_INFINITY)
  await queryRows(db, `delete from scheduled_backup_days where day < (now() at time zone 'UTC')::date - $1::int`, [
    keptDays,
  ])
}

/** @returns the last row of the piece */
const removeNext = `
  with piece as materialized (
    select policy_id, room_id, due_at, operation_id from scheduled_backups
     where state in ('done', 'failed', 'missed') and due_at < now() - make_interval(days => $1)
       and (due_at, policy_id, room_id) > ($2::timestamptz, $3::uuid, $4::uuid)
     order by due_at, policy_id, room_id limit $5
  ), removed as (
    delete from scheduled_backups s using piece
     where s.policy_id = piece.policy_id and s.room_id = piece.room_id and s.due_at = piece.due_at
       and not exists (select from room_backups b where b.id = piece.operation_id
                           and (b.expires_at is null or exists (select from deleted_rooms d where d.room_id = b.room_id)))
  )
  select policy_id, room_id, due_at::text from piece order by due_at desc, policy_id desc, room_id desc limit 1`

const removeOfPolicy = `
  delete from scheduled_backups where (policy_id, room_id, due_at) in (
    select policy_id, room_id, due_at from scheduled_backups where policy_id = $1 limit $2)
  returning 1`

/** Housekeeping: what deleted policies have left, and then themselves. */
export async function removeDeletedPolicies(db: Db, until: number): Promise<void> {
  const deleted = await queryRows<{ id: string }>(db, 'select id from backup_policies where deleted_at is not null')
  // Of one policy at a time, so that PostgreSQL looks only at its part of the index.
  for (const { id } of deleted) await inPieces(db, removeOfPolicy, [id, usuallyAtOnce], usuallyAtOnce, until)
  await queryRows(
    db,
    `delete from backup_policies p where deleted_at is not null
        and not exists (select from scheduled_backups s where s.policy_id = p.id)`,
  )
}
