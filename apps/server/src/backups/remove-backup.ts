/** Removes backups: first the file, then the record, so that a backup that could not be removed is still listed. */
import { type Db, queryRows } from '#platform/database.ts'
import type { FileStore } from '#platform/file-store.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { fromAnywhere } from '#platform/in-pieces.ts'
import { Refusal } from '#platform/refuse.ts'
import { readSteadyTime, steadyTime } from '#platform/steady-time.ts'
import { removedUnlessRead, removeOldUses, whileRemoving } from './backup-uses.ts'
import { removeOldTickets } from './download-backup.ts'
import type { RoomBackupRow } from './find-backup.ts'
import type { ObjectStore } from './object-store.ts'
import { isKnownBad } from './record-backup.ts'

export interface BackupStores {
  /** Holds classic backups and database backups. */
  files: FileStore
  /** Holds the backups that regions write themselves. */
  objectStore: ObjectStore
}

/** @throws Refusal `object-store-not-set`, `object-store-refused` */
export async function removeBackupFile(
  { files, objectStore }: BackupStores,
  backup: Pick<RoomBackupRow, 'kind' | 'location'>,
): Promise<void> {
  if (backup.kind === 'classic') await files.remove(backup.location)
  else await objectStore.remove(objectStore.locationOfUri(backup.location))
}

/** Restores only ever use the newest backup. After this time, a restore that began with an older one has ended. */
const supersededKeptDays = 2

/**
 * Housekeeping: removes the backups of rooms that were deleted 30 days ago, database backups that newer ones have
 * replaced, and old tickets.
 */
export async function tidyBackups(db: Db, stores: BackupStores): Promise<void> {
  await removeOldTickets(db)
  await removeOldUses(db)
  const ofRooms = () => removeExpired(db, stores)
  const ofDatabases = () => removeReplaced(db, stores)
  await forEachCollectingErrors([ofRooms, ofDatabases], (part) => part())
}

const expiredAtOnce = 1_000
const expiredMilliseconds = 30_000

/** @throws the first failure, at the end */
async function removeExpired(db: Db, stores: BackupStores): Promise<void> {
  const failures: unknown[] = []
  const removeSome = async (after: string, last: string) => {
    const some = await queryRows<RemovedBackup>(db, nextExpired, [after, last, expiredAtOnce])
    await forEachCollectingErrors(some, (backup) => removeOfGoneRoom(db, stores, backup)).catch((error) =>
      failures.push(error),
    )
    return some[expiredAtOnce - 1]?.id ?? null
  }
  await fromAnywhere(removeSome, performance.now() + expiredMilliseconds)
  if (failures.length > 0) throw failures[0]
}

async function removeReplaced(db: Db, stores: BackupStores): Promise<void> {
  const databases = await unneeded(db)
  await forEachCollectingErrors(databases, async ({ id, storeKey, newerKey, newerSize }) => {
    if (newerKey !== null && (await stores.files.stat(newerKey))?.size !== newerSize) return
    const remove = async () => {
      // A room that is adopted meanwhile keeps its backups.
      if ((await unneeded(db, id)).length === 0) return
      await stores.files.remove(storeKey)
      await queryRows(db, 'delete from database_backups where id = $1', [id])
    }
    await removedUnlessRead(whileRemoving(db, id, remove))
  })
}

/** The room cannot come back from it, and is neither restored nor purged: then housekeeping has forgotten it. */
const roomIsForgotten = (backup: string) =>
  `not exists (select from deleted_rooms d where d.room_id = ${backup}.room_id)`

// PostgreSQL cannot estimate the steady time. `is not null`, which few are, leads it to the index of expires_at.
const nextExpired = `
  select id, kind, location from room_backups b
   where expires_at is not null and expires_at <= ${steadyTime} and ${roomIsForgotten('b')} and id > $1 and id <= $2 order by id limit $3`

type RemovedBackup = Pick<RoomBackupRow, 'id' | 'kind' | 'location'>

/**
 * The file, then the record, which stays when the file cannot be removed.
 * @returns false: the backup is being read, so it stays
 */
export function removeUnlessRead(db: Db, stores: BackupStores, backup: RemovedBackup): Promise<boolean> {
  return removedUnlessRead(whileRemoving(db, backup.id, () => removeFileAndRecord(db, stores, backup)))
}

async function removeFileAndRecord(db: Db, stores: BackupStores, backup: RemovedBackup): Promise<void> {
  await removeBackupFile(stores, backup)
  await forget(db, backup)
}

async function forget(db: Db, { id }: RemovedBackup): Promise<void> {
  await queryRows(db, 'delete from room_backups where id = $1', [id])
}

async function removeOfGoneRoom(db: Db, stores: BackupStores, backup: RemovedBackup): Promise<void> {
  // A room that is adopted meanwhile keeps its backups.
  const isOver = async () => {
    const over = `select 1 from room_backups b where id = $1 and expires_at <= ${steadyTime} and ${roomIsForgotten('b')}`
    return (await queryRows(db, over, [backup.id])).length > 0
  }
  const remove = async () => {
    if (!(await isOver())) return
    await removeFileAndRecord(db, stores, backup).catch(async (error: unknown) => {
      if (!(error instanceof Refusal && isOutOfReach(error))) throw error
      // If the bucket is no longer configured or the location is invalid, only the record can be removed.
      await forget(db, backup)
    })
  }
  await removedUnlessRead(whileRemoving(db, backup.id, remove))
}

function isOutOfReach({ code }: Refusal): boolean {
  return code === 'object-store-not-set' || code === 'invalid-input'
}

/** The prefixes of the keys under which operations write. */
const prefixes = ['rooms/', 'databases/']
const unfinishedDays = 2

/** Removes what processes were writing when they died. Has to list the whole store. */
export async function removeUnfinishedBackups(db: Db, files: FileStore): Promise<void> {
  const now = await readSteadyTime(db)
  if (now === null) return
  const before = new Date(now.getTime() - unfinishedDays * 86_400_000)
  await forEachCollectingErrors(prefixes, async (prefix) => void (await files.removeUnfinished(prefix, before)))
}

interface UnneededDatabaseBackup {
  id: string
  storeKey: string
  /** The key of the newer backup that has replaced it; null if it is removed with its room. */
  newerKey: string | null
  newerSize: number | null
}

/**
 * A newer backup replaces an older one only if it was intact when its operation or the doctor last read it, and is not
 * known to be bad.
 */
const unneededDatabaseBackups = `
  select old.id, old.store_key,
         case when old.expires_at <= ${steadyTime} and ${roomIsForgotten('old')} then null else newer.store_key end as newer_key, newer.size as newer_size
    from database_backups old left join lateral (
      select b.store_key, b.size from database_backups b
       where b.room_id = old.room_id and lower(b.database_name) = lower(old.database_name)
         and b.created_at > old.created_at and b.created_at < ${steadyTime} - make_interval(days => $1)
         and b.proved_at is not null and not ${isKnownBad}
       order by b.created_at desc limit 1
    ) newer on true
   where ($2::uuid is null or old.id = $2)
     and (old.expires_at <= ${steadyTime} and ${roomIsForgotten('old')} or newer.store_key is not null)
   limit 1000`

/** @param id only this one */
function unneeded(db: Db, id: string | null = null): Promise<UnneededDatabaseBackup[]> {
  return queryRows<UnneededDatabaseBackup>(db, unneededDatabaseBackups, [supersededKeptDays, id])
}
