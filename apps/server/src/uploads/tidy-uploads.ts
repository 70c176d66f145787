/** Housekeeping of uploads: removes the rows and files that are no longer needed. */
import { type Db, queryRows } from '#platform/database.ts'
import { databaseTime } from '#platform/database-time.ts'
import type { FileStore } from '#platform/file-store.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'

/** The prefix of the keys of uploads in the backup store. */
export const uploadsPrefix = 'uploads/'

/** No operation takes this long, so an upload that is still taken after it belongs to a lost operation. */
const takenDaysAtMost = 30
/**
 * A file has no row if its process died after storing the file and before inserting the row. After this time, no upload
 * is still in progress.
 */
const orphanHours = 24

export async function tidyUploads(db: Db, store: FileStore): Promise<void> {
  const gone = await queryRows<{ name: string; storeKey: string }>(
    db,
    `select name, store_key from uploads
      where delete_after <= now() or taken_at < now() - make_interval(days => $1) limit 1000`,
    [takenDaysAtMost],
  )
  await forEachCollectingErrors(gone, async ({ name, storeKey }) => {
    await store.remove(storeKey)
    await queryRows(db, 'delete from uploads where name = $1', [name])
  })
}

/** Has to list all uploads in the store, so it should run only occasionally. */
export async function removeOrphanedUploads(db: Db, store: FileStore): Promise<void> {
  const before = new Date((await databaseTime(db)).getTime() - orphanHours * 3_600_000)
  const parts = [() => store.removeUnfinished(uploadsPrefix, before), () => removeKept(db, store, before)]
  await forEachCollectingErrors(parts, async (part) => void (await part()))
}

async function removeKept(db: Db, store: FileStore, before: Date): Promise<void> {
  for await (const { key, storedAt: keptAt } of store.list(uploadsPrefix)) {
    if (keptAt > before) continue
    const known = await queryRows(db, 'select 1 from uploads where store_key = $1', [key])
    if (known.length === 0) await store.remove(key)
  }
}
