/**
 * Records who reads a backup and who removes it, so that neither disturbs the other. An operation that reads a backup
 * has its id in its input, as `backupId` or `backup.id`, and reads it while it is open, waiting included. Any other
 * reader, and each removal, has a row in `backup_uses`, which its process renews: the row of a dead process ends within
 * 30 seconds.
 */
import { randomUUID } from 'node:crypto'
import { because, type CodedReason } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { Refusal, refuse } from '#platform/refuse.ts'
import { steadyTime } from '#platform/steady-time.ts'

export interface BackupReader {
  kind: 'download' | 'check'
  /** An operator, as the audit trail names them; `system`: the doctor. */
  by: string
}

const heldSeconds = 30
const renewMilliseconds = 10_000
/** A time that lies further ahead was written under a wrong clock. */
const isHeld = `held_until > now() and held_until <= now() + interval '${heldSeconds} seconds'`

/**
 * Called before an operation that reads the backup is started: no removal begins before the transaction ends.
 * @throws Refusal `backup-unknown`, also while it is being removed
 */
export async function lockForReading(tx: Tx, backupId: string): Promise<void> {
  const isThere = await lockRecord(tx, backupId, 'share')
  const removal = `select 1 from backup_uses where backup_id = $1 and kind = 'removal' and ${isHeld}`
  if (!isThere || (await queryRows(tx, removal, [backupId])).length > 0) throw refuse('backup-unknown')
}

/**
 * Called before the record is removed: no reader begins before the transaction ends.
 * @throws Refusal `backup-in-use`
 */
export async function lockUnread(tx: Tx, backupId: string): Promise<void> {
  await lockRecord(tx, backupId, 'update')
  await refuseWhileRead(tx, 'select $1::uuid as id', backupId)
}

/** Called before all backups of the room are removed. @throws Refusal `backup-in-use` */
export async function refuseWhileAnyIsRead(tx: Tx, roomId: string): Promise<void> {
  const ofRoom =
    'select id from room_backups where room_id = $1 union all select id from database_backups where room_id = $1'
  await refuseWhileRead(tx, ofRoom, roomId)
}

/** Called before the room's backups are kept for longer. @throws Refusal `backup-in-use` while one is being removed */
export async function refuseWhileAnyIsRemoved(tx: Db | Tx, roomId: string): Promise<void> {
  const removals = await queryRows(
    tx,
    `select 1 from backup_uses u where kind = 'removal' and ${isHeld}
        and (exists (select from room_backups b where b.id = u.backup_id and b.room_id = $1)
          or exists (select from database_backups b where b.id = u.backup_id and b.room_id = $1)) limit 1`,
    [roomId],
  )
  if (removals.length > 0) throw refuse('backup-in-use', { reason: because('backup-being-removed') })
}

/** @returns ends the reading @throws Refusal `backup-unknown`, also while it is being removed */
export function beginReading(db: Db, backupId: string, reader: BackupReader): Promise<() => Promise<void>> {
  return beginUse(db, backupId, reader, lockForReading)
}

/** @throws Refusal as `beginReading` */
export async function whileReading<T>(
  db: Db,
  backupId: string,
  reader: BackupReader,
  work: () => Promise<T>,
): Promise<T> {
  const end = await beginReading(db, backupId, reader)
  return work().finally(end)
}

/**
 * No reader begins while `work` removes the file and then the record. Several removals may run at once.
 * @throws Refusal `backup-in-use`
 */
export async function whileRemoving<T>(db: Db, backupId: string, work: () => Promise<T>, by = 'system'): Promise<T> {
  const end = await beginUse(db, backupId, { kind: 'removal', by }, lockUnread)
  return work().finally(end)
}

/** @returns false: the backup is being read, so nothing was removed; the next round of housekeeping tries again */
export async function removedUnlessRead(removing: Promise<unknown>): Promise<boolean> {
  return removing.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'backup-in-use') return false
      throw error
    },
  )
}

/** Rows of dead processes. A process that lives renews its rows, also after the clock has jumped. */
export async function removeOldUses(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from backup_uses
      where held_until not between ${steadyTime} - interval '1 day' and ${steadyTime} + interval '1 day'`,
  )
}

interface Use {
  kind: BackupReader['kind'] | 'removal'
  by: string
}

async function beginUse(
  db: Db,
  backupId: string,
  { kind, by }: Use,
  lock: (tx: Tx, backupId: string) => Promise<void>,
): Promise<() => Promise<void>> {
  const id = randomUUID()
  await db.transaction().execute(async (tx) => {
    await lock(tx, backupId)
    await queryRows(
      tx,
      `insert into backup_uses (id, backup_id, kind, used_by, held_until)
       values ($1, $2, $3, $4, now() + make_interval(secs => ${heldSeconds}))`,
      [id, backupId, kind, by],
    )
  })
  const renew = `update backup_uses set held_until = now() + make_interval(secs => ${heldSeconds}) where id = $1`
  // The next renewal makes up for one that fails.
  const timer = setInterval(() => void queryRows(db, renew, [id]).catch(() => undefined), renewMilliseconds).unref()
  return async () => {
    clearInterval(timer)
    // It ends by itself, too.
    await queryRows(db, 'delete from backup_uses where id = $1', [id]).catch(() => undefined)
  }
}

/** @returns false: there is no such backup */
async function lockRecord(tx: Tx, backupId: string, strength: 'share' | 'update'): Promise<boolean> {
  for (const table of ['room_backups', 'database_backups'])
    if ((await queryRows(tx, `select 1 from ${table} where id = $1 for ${strength}`, [backupId])).length > 0)
      return true
  return false
}

/** The index operations_reading_backup is of this. */
const readByOperation = `coalesce(o.input ->> 'backupId', o.input -> 'backup' ->> 'id')`

/** @param ids a statement that selects the ids of the backups, by $1 */
async function refuseWhileRead(tx: Tx, ids: string, value: string): Promise<void> {
  const [reader] = await queryRows<{ kind: string; by: string }>(
    tx,
    `select o.kind, o.started_by as by, o.created_at as since from operations o
      where ${readByOperation} = any(array(select id::text from (${ids}) b)) and o.state in ('waiting', 'running', 'cancelling')
     union all
     select kind, used_by, began_at from backup_uses
      where backup_id = any(array(${ids})) and kind <> 'removal' and ${isHeld}
     order by since limit 1`,
    [value],
  )
  if (reader !== undefined) throw refuse('backup-in-use', { reason: reasonOf(reader) })
}

function reasonOf({ kind, by }: { kind: string; by: string }): CodedReason {
  switch (kind) {
    case 'backup.verify':
      return because('backup-read-by-test', { by })
    case 'download':
      return because('backup-read-by-download', { by })
    case 'check':
      return because('backup-read-by-check')
    default:
      return because('backup-read-by-restore', { by })
  }
}
