/** Housekeeping of uploads: what is not needed any more goes, row and file. */
import { type Db, queryRows } from '#platform/database.ts'
import type { FileStore } from '#platform/file-store.ts'
import { forEach } from '#platform/for-each.ts'

/** Where uploads lie in the backup store. */
export const uploadsPrefix = 'uploads/'

/** No operation takes so long; what is still taken then was lost. */
const takenDaysAtMost = 30
/** A file without a row: its process died between the two. By then no upload is still on its way. */
const orphanHours = 24

export async function tidyUploads(db: Db, store: FileStore): Promise<void> {
  const gone = await queryRows<{ name: string; storeKey: string }>(
    db,
    `select name, store_key from uploads
      where delete_after <= now() or taken_at < now() - make_interval(days => $1) limit 1000`,
    [takenDaysAtMost],
  )
  await forEach(gone, async ({ name, storeKey }) => {
    await store.remove(storeKey)
    await queryRows(db, 'delete from uploads where name = $1', [name])
  })
}

/** Costs a listing of all uploads in the store: once in a while is enough. */
export async function removeOrphanedUploads(db: Db, store: FileStore): Promise<void> {
  const before = new Date(Date.now() - orphanHours * 3_600_000)
  await forEach([() => store.removeUnfinished(uploadsPrefix, before), () => removeKept(db, store, before)], (part) =>
    part(),
  )
}

async function removeKept(db: Db, store: FileStore, before: Date): Promise<void> {
  for await (const { key, storedAt: keptAt } of store.list(uploadsPrefix)) {
    if (keptAt > before) continue
    const known = await queryRows(db, 'select 1 from uploads where store_key = $1', [key])
    if (known.length === 0) await store.remove(key)
  }
}
