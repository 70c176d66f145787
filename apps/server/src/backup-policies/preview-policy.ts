/** How many rooms a policy covers, and how much space it takes when retention is full. */
import type { BackupPolicyDraft, BackupPolicyPreview } from '@roomkeeper/contract'
import { sql } from 'kysely'
import type { Database } from '#platform/database.ts'
import { isCovered } from './covered-rooms.ts'
import { backupsWhenFull } from './retention.ts'

type Previewed = Pick<BackupPolicyDraft, 'rooms' | 'kind' | 'schedule' | 'keep'>

/** Enough to tell the average. Ids are random, so the first ones are any. */
const sample = 2_000

/** Rooms without a backup count as large as the others are on the average. @throws Refusal `invalid-filter` */
export async function previewPolicy(
  database: Database,
  { rooms, schedule, keep }: Previewed,
  now: Date,
): Promise<BackupPolicyPreview> {
  const { rows } = await sql<{ rooms: number; average: number | null }>`
    with covered as materialized (
      select id, last_backup_at > '0001-01-01 00:00:00+00' as has_backup from rooms
       where ${await isCovered(database.db, rooms)}
    )
    select (select count(*) from covered)::int as rooms, avg(newest.size)::float8 as average
      from (select id from covered where has_backup order by id limit ${sample}) as sampled
     cross join lateral (
        select size from room_backups b where b.room_id = sampled.id order by created_at desc limit 1
      ) as newest`.execute(database.db)
  const { rooms: count = 0, average = null } = rows[0] ?? {}
  const backupsPerRoom = backupsWhenFull(schedule, keep, now)
  const bytes = count === 0 ? 0 : average === null ? null : Math.round(count * average * backupsPerRoom)
  return { rooms: count, backupsPerRoom, bytes }
}
