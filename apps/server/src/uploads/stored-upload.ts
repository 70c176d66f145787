/**
 * The life of an upload: it waits for an operation (24 h), is taken by one, is kept for a retry after a failure (24 h
 * more), or is gone. It counts as gone from `delete_after` on; the next housekeeping removes the file.
 */
import type { BackupContents } from '@roomkeeper/contract'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { FileStore } from '#platform/file-store.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { refuse } from '#platform/refuse.ts'
import { readSteadyTime, steadyTime } from '#platform/steady-time.ts'

export interface StoredUpload {
  /** The temporary name. */
  name: string
  /** The key in the backup store. */
  storeKey: string
  /** The name of the file on the operator's computer. */
  fileName: string
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Null for a database export. */
  contents: BackupContents | null
  manifest: BackupManifest | null
}

export type UploadKind = 'backup' | 'database'

/** Records a file that has arrived. It can be taken for 24 hours. */
export async function insertUpload(
  tx: Tx,
  upload: StoredUpload & { kind: UploadKind; operatorId: string },
): Promise<void> {
  await queryRows(
    tx,
    `insert into uploads (name, operator_id, kind, store_key, file_name, size, sha256, contents, manifest, delete_after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${keptUntil})`,
    [
      upload.name,
      upload.operatorId,
      upload.kind,
      upload.storeKey,
      upload.fileName,
      upload.size,
      upload.sha256,
      upload.contents && JSON.stringify(upload.contents),
      upload.manifest && JSON.stringify(upload.manifest),
    ],
  )
}

/** @returns null if the upload is unknown or gone */
export async function findUpload(db: Db | Tx, name: string): Promise<StoredUpload | null> {
  const [row] = await queryRows<StoredUpload>(db, `select ${columns} from uploads where name = $1 and ${notGone}`, [
    name,
  ])
  return row ?? null
}

/**
 * Takes the upload for the operation that this transaction starts. If the transaction is rolled back, it is not taken.
 * @throws Refusal `upload-unknown` if it is another operator's, was already taken, is gone, or is of another kind
 */
export async function takeUpload(
  tx: Tx,
  wanted: { name: string; kind: UploadKind; operatorId: string },
): Promise<StoredUpload> {
  const [row] = await queryRows<StoredUpload>(
    tx,
    `update uploads set taken_at = steady_now(), delete_after = null
      where name = $1 and kind = $2 and operator_id = $3 and taken_at is null and ${notGone} returning ${columns}`,
    [wanted.name, wanted.kind, wanted.operatorId],
  )
  if (row === undefined) throw refuse('upload-unknown')
  return row
}

/** Called when the operation is done or cancelled, because the upload is then no longer needed. */
export async function releaseUpload(tx: Tx, name: string): Promise<void> {
  await queryRows(tx, 'update uploads set delete_after = now() where name = $1', [name])
}

/** Called when the operation has failed. It can be retried for 24 hours. */
export async function keepUploadForRetry(tx: Tx, name: string): Promise<void> {
  await queryRows(tx, `update uploads set delete_after = ${keptUntil} where name = $1`, [name])
}

/** Called when a retry begins. @throws Refusal `start-again` if the upload is gone */
export async function takeUploadAgain(tx: Tx, name: string): Promise<void> {
  const found = await queryRows(
    tx,
    `update uploads set delete_after = null where name = $1 and ${notGone} returning name`,
    [name],
  )
  if (found.length === 0) throw refuse('start-again')
}

/** Uses clock_timestamp(), because now() is the start of the transaction, which may be long ago. */
const notGone = '(delete_after is null or delete_after > clock_timestamp())'
const keptUntil = `steady_now() + interval '24 hours'`
const columns = `name, store_key, file_name, size, sha256, contents, manifest`

/** The prefix of the keys of uploads in the backup store. */
export const uploadsPrefix = 'uploads/'

/** No operation takes this long, so an upload that is still taken after it belongs to a lost operation. */
const takenDaysAtMost = 30
/**
 * A file has no row if its process died after storing the file and before inserting the row. After this time, no upload
 * is still in progress.
 */
const orphanHours = 24

/** Housekeeping: removes the rows and files that are no longer needed. */
export async function tidyUploads(db: Db, store: FileStore): Promise<void> {
  const gone = await queryRows<{ name: string; storeKey: string }>(
    db,
    `select name, store_key from uploads
      where delete_after <= ${steadyTime} or taken_at < ${steadyTime} - make_interval(days => $1) limit 1000`,
    [takenDaysAtMost],
  )
  await forEachCollectingErrors(gone, async ({ name, storeKey }) => {
    await store.remove(storeKey)
    await queryRows(db, 'delete from uploads where name = $1', [name])
  })
}

/** Has to list all uploads in the store, so it should run only occasionally. */
export async function removeOrphanedUploads(db: Db, store: FileStore): Promise<void> {
  const now = await readSteadyTime(db)
  if (now === null) return
  const before = new Date(now.getTime() - orphanHours * 3_600_000)
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
