/**
 * Every so many backups of a room, as its policy says, the newest one is restored in a test. The count is kept in the
 * database, because the rows of scheduled backups do not last, and is set back in the transaction that starts the test.
 */
import { startVerification } from '#backup-verification/index.ts'
import { isKnownBad, type RoomBackupRow, roomBackupColumns } from '#backups/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { Refusal } from '#platform/refuse.ts'
import { freeSlots, type Scheduling } from './begin-backups.ts'

/** A part of the statement that settles scheduled backups: each of them is settled as done once. */
export const countForVerification = `
  verifications as (
    insert into verification_counts (policy_id, room_id, region_id, backups, is_due)
    select s.policy_id, s.room_id, max(s.region_id), count(*), count(*) >= max(p.verify_every)
      from settled s join backup_policies p on p.id = s.policy_id and p.verify_every > 0
     where s.state = 'done' group by s.policy_id, s.room_id
    on conflict (policy_id, room_id) do update
      set backups = verification_counts.backups + excluded.backups, region_id = excluded.region_id,
          is_due = verification_counts.backups + excluded.backups
                >= (select verify_every from backup_policies p where p.id = excluded.policy_id)
  )`

interface Due {
  policyId: string
  roomId: string
}

/**
 * As many as there are slots for in the regions, and before the backups, which would take all of them.
 * @param until a time of `performance.now()`
 */
export async function startDueVerifications(scheduling: Scheduling, until: number): Promise<void> {
  const { database } = scheduling
  const slots = await freeSlots(scheduling)
  const due = await queryRows<Due>(
    database.db,
    `select due.policy_id, due.room_id from unnest($1::int[], $2::int[]) as slots (region_id, free)
      cross join lateral (
        select policy_id, room_id from verification_counts v where v.is_due and v.region_id = slots.region_id
         limit slots.free
      ) as due`,
    [slots.map(({ regionId }) => regionId), slots.map(({ freeForTests }) => freeForTests)],
  )
  await forEachCollectingErrors(due, async (each) => {
    if (performance.now() < until) await startUnlessImpossible(database, each)
  })
}

/** What is not possible now, such as in a disabled region, is tried again with the next backup. */
async function startUnlessImpossible(database: Database, due: Due): Promise<void> {
  try {
    await database.transaction((tx) => startFor(tx, due))
  } catch (error) {
    await queryRows(
      database.db,
      `update verification_counts v set backups = least(v.backups, greatest(p.verify_every - 1, 0)), is_due = false
         from backup_policies p where p.id = v.policy_id and v.policy_id = $1 and v.room_id = $2`,
      [due.policyId, due.roomId],
    )
    if (!(error instanceof Refusal)) throw error
  }
}

async function startFor(tx: Tx, { policyId, roomId }: Due): Promise<void> {
  // A worker that looks at the same time waits here, and then finds the count reset.
  const [mine] = await queryRows<{ isWanted: boolean }>(
    tx,
    `update verification_counts v set backups = 0, is_due = false from backup_policies p
      where p.id = v.policy_id and v.policy_id = $1 and v.room_id = $2 and v.is_due
      returning p.verify_every > 0 and p.deleted_at is null as is_wanted`,
    [policyId, roomId],
  )
  if (mine?.isWanted !== true) return
  const [newest] = await queryRows<RoomBackupRow>(tx, newestOf, [policyId, roomId])
  if (newest === undefined || newest.restoredAt !== null) return
  await startVerification(tx, newest, { startedBy: 'system', requestId: null, background: true })
}

const newestOf = `
  select ${roomBackupColumns} from scheduled_backups s join room_backups b on b.id = s.operation_id and b.room_id = s.room_id
   where s.policy_id = $1 and s.room_id = $2 and s.state = 'done' and b.expires_at is null and not ${isKnownBad}
   order by b.created_at desc limit 1`

/** Housekeeping: removes the counts of policies and rooms that are gone. */
export async function tidyVerificationCounts(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from verification_counts v
      where not exists (select from backup_policies p where p.id = v.policy_id)
         or not exists (select from rooms where rooms.id = v.room_id)`,
  )
}
