/**
 * Every so many backups of a room, as its policy says, the newest one is restored in a test. The count is kept in the
 * database, because the rows of scheduled backups do not last, and is set back in the transaction that starts the test.
 */
import { startVerification } from '#backup-verification/index.ts'
import { isKnownBad, type RoomBackupRow } from '#backups/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { Refusal } from '#platform/refuse.ts'

/** Must be called in the transaction that settles them: housekeeping looks only at those that are settled. */
export async function countForVerification(tx: Tx): Promise<void> {
  await queryRows(
    tx,
    `insert into verification_counts (policy_id, room_id, backups, counted_until)
     select s.policy_id, s.room_id, count(*), max(s.due_at)
       from scheduled_backups s join backup_policies p on p.id = s.policy_id and p.verify_every > 0
       left join verification_counts v on v.policy_id = s.policy_id and v.room_id = s.room_id
      where s.state = 'done' and not s.is_tidied and (v.counted_until is null or s.due_at > v.counted_until)
      group by s.policy_id, s.room_id
     on conflict (policy_id, room_id) do update
       set backups = verification_counts.backups + excluded.backups, counted_until = excluded.counted_until`,
  )
}

const atOnce = 500

interface Due {
  policyId: string
  roomId: string
}

export async function startDueVerifications(database: Database): Promise<void> {
  const due = await queryRows<Due>(
    database.db,
    `select v.policy_id, v.room_id from verification_counts v join backup_policies p on p.id = v.policy_id
      where p.verify_every > 0 and v.backups >= p.verify_every limit ${atOnce}`,
  )
  for (const each of due) await startUnlessImpossible(database, each)
}

/** What is not possible now, such as in a disabled region, is tried again with the next backup. */
async function startUnlessImpossible(database: Database, due: Due): Promise<void> {
  try {
    await database.transaction((tx) => startFor(tx, due))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await queryRows(
      database.db,
      `update verification_counts v set backups = least(v.backups, p.verify_every - 1) from backup_policies p
        where p.id = v.policy_id and v.policy_id = $1 and v.room_id = $2`,
      [due.policyId, due.roomId],
    )
  }
}

async function startFor(tx: Tx, { policyId, roomId }: Due): Promise<void> {
  // Whoever looks at the same time waits here, and then finds the count set back.
  const [mine] = await queryRows(
    tx,
    `update verification_counts v set backups = 0 from backup_policies p
      where p.id = v.policy_id and v.policy_id = $1 and v.room_id = $2
        and p.verify_every > 0 and v.backups >= p.verify_every returning v.policy_id`,
    [policyId, roomId],
  )
  if (mine === undefined) return
  const [newest] = await queryRows<RoomBackupRow>(tx, newestOf, [policyId, roomId])
  if (newest === undefined || newest.restoredAt !== null) return
  await startVerification(tx, newest, { startedBy: 'system', requestId: null, background: true })
}

const newestOf = `
  select b.* from scheduled_backups s join room_backups b on b.id = s.operation_id and b.room_id = s.room_id
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
