/** What housekeeping does for backup policies every minute; the retention of backups comes last. */
import { type BackupRetention, backupRetention } from '@roomkeeper/contract'
import {
  type BackupStores,
  isKnownBad,
  newestGoodBackup,
  newestRestoredBackup,
  removeUnlessRead,
} from '#backups/index.ts'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { fromAnywhere, piecesUntil } from '#platform/in-pieces.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import { readSteadyTime } from '#platform/steady-time.ts'
import { keptBackups } from './retention.ts'
import { removeDeletedPolicies, removeScheduledOperations } from './runs.ts'

/** Each part has as long for itself, and goes on with the next round. */
const partMilliseconds = 30_000

export async function tidyPolicies(database: Database, stores: BackupStores): Promise<void> {
  const { db } = database
  // Which backups stay depends on their times.
  if ((await readSteadyTime(db)) === null) return
  const parts = [
    (until: number) => removeDeletedPolicies(db, until),
    (until: number) => removeScheduledOperations(db, until),
    (until: number) => reapplyRetention(database, until),
    (until: number) => tidyScheduledBackups(db, stores, until),
  ]
  await forEachCollectingErrors(parts, (part) => part(performance.now() + partMilliseconds))
}

const roomsAtOnce = 500
const besideEachOther = 4

/**
 * Removes the backups that no policy keeps any more: looks at the rooms that have got a scheduled backup since. What stays
 * in any case: backups made by hand, those of policies that were deleted, those known to be bad (they may be whole after
 * all), and of each room the newest that is known to be whole and the newest that was restored in a test.
 * @param until a time of `performance.now()`
 * @throws the first failure, at the end
 */
export async function tidyScheduledBackups(
  db: Db,
  stores: BackupStores,
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const failures: unknown[] = []
  const tidySome = async (after: string, last: string) => {
    const rooms = await untidyRooms(db, after, last)
    await mapConcurrently(rooms, besideEachOther, (roomId) =>
      tidyRoom(db, stores, roomId).catch((error: unknown) => failures.push(error)),
    )
    return rooms[roomsAtOnce - 1] ?? null
  }
  await fromAnywhere(tidySome, until)
  if (failures.length > 0) throw failures[0]
}

/** @returns ids behind `after`, up to `last` */
async function untidyRooms(db: Db, after: string, last: string): Promise<string[]> {
  const rooms = await queryRows<{ roomId: string }>(
    db,
    `select distinct room_id from scheduled_backups
      where state = 'done' and not retention_applied and room_id > $1 and room_id <= $2 order by room_id limit ${roomsAtOnce}`,
    [after, last],
  )
  return rooms.map(({ roomId }) => roomId)
}

interface ScheduledBackup {
  id: string
  createdAt: string
  kind: 'classic' | 'd2o'
  location: string
  policyId: string
  keep: BackupRetention
  state: 'started' | 'done'
  isKnownBad: boolean
}

async function tidyRoom(db: Db, stores: BackupStores, roomId: string): Promise<void> {
  const all = await queryRows<ScheduledBackup>(
    db,
    `select b.id, b.created_at, b.kind, b.location, s.policy_id, p.keep, s.state, ${isKnownBad} as is_known_bad
       from scheduled_backups s join backup_policies p on p.id = s.policy_id and p.deleted_at is null
       join room_backups b on b.id = s.operation_id and b.room_id = s.room_id
      where s.room_id = $1 and s.state in ('started', 'done') and b.expires_at is null`,
    [roomId],
  )
  // A bad one neither stands for its day, week or month, nor is it removed.
  const backups = all.filter((backup) => !backup.isKnownBad)
  const kept = new Set([await newestGoodBackup(db, roomId), await newestRestoredBackup(db, roomId)])
  for (const ofPolicy of Map.groupBy(backups, ({ policyId }) => policyId).values()) {
    const keep = backupRetention.parse(ofPolicy[0]?.keep)
    for (const id of keptBackups(ofPolicy, keep)) kept.add(id)
  }
  // For one of its policies it is not settled yet.
  for (const { id, state } of backups) if (state === 'started') kept.add(id)
  const removed = new Map(backups.filter(({ id }) => !kept.has(id)).map((backup) => [backup.id, backup]))
  const read = new Set<string>()
  await forEachCollectingErrors([...removed.values()], async (backup) => {
    if (!(await removeUnlessRead(db, stores, backup))) read.add(backup.id)
  })
  // One that is being read is looked at again in the next round.
  const tidied = all.filter(({ id }) => !read.has(id))
  await setTidied(
    db,
    roomId,
    tidied.map(({ id }) => id),
  )
}

/** @param ids the backups that were looked at; not those that came meanwhile */
async function setTidied(db: Db, roomId: string, ids: readonly string[]): Promise<void> {
  await queryRows(
    db,
    `update scheduled_backups s set retention_applied = true
      where room_id = $1 and state = 'done' and not retention_applied
        and (operation_id = any($2::uuid[])
          or not exists (select from room_backups b where b.id = s.operation_id and b.expires_at is null)
          or exists (select from backup_policies p where p.id = s.policy_id and p.deleted_at is not null))`,
    [roomId, ids],
  )
}

/**
 * Looks again at all rooms of a policy that keeps other backups than before. One row of each room is enough
 * for that, so it takes no longer the more backups there were.
 * @param until a time of `performance.now()`
 */
export async function reapplyRetention(database: Database, until: number): Promise<void> {
  const policies = await queryRows<{ id: string }>(
    database.db,
    'select id from backup_policies where retention_cursor is not null and deleted_at is null',
  )
  await forEachCollectingErrors(policies, ({ id }) => piecesUntil(() => reapplyToSome(database, id), until))
}

/** @returns whether there are more */
function reapplyToSome(database: Database, policyId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    // A concurrent change of what the policy keeps waits for this lock, and then starts again with the first room.
    const lock = 'select retention_cursor from backup_policies where id = $1 for no key update'
    const [policy] = await queryRows<{ retentionCursor: string | null }>(tx, lock, [policyId])
    const [last] = await queryRows<{ roomId: string }>(tx, markNext, [policyId, policy?.retentionCursor, roomsAtOnce])
    await queryRows(tx, 'update backup_policies set retention_cursor = $2 where id = $1', [policyId, last?.roomId])
    return last !== undefined
  })
}

/** @returns the last of the rooms */
const markNext = `
  with next as materialized (
    select distinct room_id from scheduled_backups where policy_id = $1 and room_id > $2 order by room_id limit $3
  ), marked as (
    update scheduled_backups s set retention_applied = false
      from (
        select distinct on (s.room_id) s.room_id, s.due_at
          from next join scheduled_backups s on s.policy_id = $1 and s.room_id = next.room_id and s.state = 'done'
          join room_backups b on b.id = s.operation_id and b.expires_at is null
         order by s.room_id, s.due_at desc
      ) as newest
     where s.policy_id = $1 and s.room_id = newest.room_id and s.due_at = newest.due_at and s.retention_applied
  )
  select room_id from next order by room_id desc limit 1`
