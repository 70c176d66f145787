/** Makes a place the backup store, once it has every file that the database knows: for a store that was moved. */
import { digestOfBackup, sizeOfBackup } from '#backups/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { markAnew } from '#platform/file-store/marked-store.ts'
import type { FileStore } from '#platform/file-store.ts'

interface KnownFile {
  key: string
  size: number
  sha256: string
}

export interface CheckedPlace {
  files: number
  /** What is wrong, a line for each file. */
  wrong: string[]
  /** Whether the place is the store now. */
  isUsed: boolean
}

interface UseStoreParts {
  database: Database
  /** The new place, whatever its mark. */
  place: FileStore
  /** Uses the place without the files that are wrong. */
  isIncomplete: boolean
  signal: AbortSignal
}

/** @throws Error when workers run or files were recorded meanwhile; Refusal of the place, such as `other-store` */
export async function useStore({ database, place, isIncomplete, signal }: UseStoreParts): Promise<CheckedPlace> {
  const { db } = database
  const [{ began } = { began: '' }] = await queryRows<{ began: string }>(db, 'select now() as began')
  await refuseWhileWorkersRun(db)
  const wrong: string[] = []
  let files = 0
  for (let after = ''; ; ) {
    const page = await knownFiles(db, after)
    for (const file of page) {
      signal.throwIfAborted()
      const what = await whatIsWrong(place, file, signal)
      if (what !== null) wrong.push(`${file.key} ${what}.`)
    }
    files += page.length
    if (page.length < pageOfFiles) break
    after = page.at(-1)?.key ?? after
  }
  const isUsed = wrong.length === 0 || isIncomplete
  if (isUsed) await markAnew(place, database, (tx) => lookAgain(tx, began))
  return { files, wrong, isUsed }
}

async function whatIsWrong(files: FileStore, file: KnownFile, signal: AbortSignal): Promise<string | null> {
  const { key: location, size, sha256 } = file
  // Its object store is not asked for files of the backup store.
  const stores = { files, objectStore: null as never }
  const wanted = { kind: 'classic', location, size, sha256 } as const
  const found = await sizeOfBackup(stores, wanted)
  if (found === null) return 'is missing'
  if (found !== size) return `has ${found} bytes instead of ${size}`
  return (await digestOfBackup(stores, wanted, signal)) === sha256 ? null : 'has another content'
}

const pageOfFiles = 500

/** The files that the backup store has to have. */
const allFiles = `
  select location as key, size, sha256, created_at from room_backups where kind = 'classic'
  union all select store_key, size, sha256, created_at from database_backups
  union all select store_key, size, sha256, created_at from uploads`

function knownFiles(db: Db, after: string): Promise<KnownFile[]> {
  return queryRows<KnownFile>(
    db,
    `select key, size, sha256 from (${allFiles}) f where key collate "C" > $1 order by key collate "C" limit ${pageOfFiles}`,
    [after],
  )
}

async function refuseWhileWorkersRun(db: Db | Tx): Promise<void> {
  const fresh = `select 1 from workers where heartbeat_at > now() - interval '1 minute'`
  if ((await queryRows(db, fresh)).length > 0)
    throw new Error(
      'Workers run, or have run within the last minute. Please stop every process of Roomkeeper, and run this again.',
    )
}

/** Those that were recorded meanwhile are in the former store. */
async function lookAgain(tx: Tx, began: string): Promise<void> {
  await queryRows(tx, 'lock table room_backups, database_backups, uploads in share mode')
  await refuseWhileWorkersRun(tx)
  const since = await queryRows(tx, `select 1 from (${allFiles}) f where created_at >= $1 limit 1`, [began])
  if (since.length > 0)
    throw new Error('Files were stored meanwhile. Please stop every process of Roomkeeper, and run this again.')
}
