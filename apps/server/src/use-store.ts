/**
 * `npm run store:use`: makes a place the backup store, once it has every file that the database knows, for a store that
 * was moved. See docs/backup-store.md; settings as for the server, with the new place as BACKUP_STORE. Exit code 0: it is
 * the store now; 1: it is not, because files are missing; 2: it could not be checked.
 */
import { parseArgs } from 'node:util'
import { readSettings } from '#app/settings.ts'
import { backupStoreOf } from '#app/store-settings.ts'
import { withDatabase } from '#app/with-database.ts'
import { digestOfBackup, sizeOfBackup } from '#backups/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { markAnew } from '#platform/file-store/marked-store.ts'
import type { FileStore } from '#platform/file-store.ts'

const pageOfFiles = 500

/** The files that the backup store has to have. */
const allFiles = `
  select location as key, size, sha256, created_at from room_backups where kind = 'classic'
  union all select store_key, size, sha256, created_at from database_backups
  union all select store_key, size, sha256, created_at from uploads`

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

try {
  const { values } = parseArgs({ options: { incomplete: { type: 'boolean', default: false } } })
  const settings = readSettings(process.env)
  const place = createFileStore(backupStoreOf(settings))
  const checked = await withDatabase(settings, (database) =>
    useStore({ database, place, isIncomplete: values.incomplete, signal: stopping.signal }),
  )
  console.log(report(checked))
  process.exitCode = checked.isUsed ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : 'unknown error')
  process.exitCode = 2
}

// Exits explicitly: Node 24 was seen to spin for ever instead of ending when connections had just been closed.
process.exit()

interface KnownFile {
  key: string
  size: number
  sha256: string
}

interface CheckedPlace {
  files: number
  /** What is wrong, a line for each file. */
  wrong: string[]
  /** Whether the place is the store now. */
  isUsed: boolean
}

interface Use {
  database: Database
  /** The new place, with any mark. */
  place: FileStore
  /** Uses the place without the files that are wrong. */
  isIncomplete: boolean
  signal: AbortSignal
}

/** @throws Error when workers run or files were recorded meanwhile; Refusal of the place, such as `other-store` */
async function useStore({ database, place, isIncomplete, signal }: Use): Promise<CheckedPlace> {
  const { db } = database
  const [{ began } = { began: '' }] = await queryRows<{ began: string }>(db, 'select now() as began')
  await refuseWhileWorkersRun(db)
  const wrong: string[] = []
  let files = 0
  for (let after = ''; ; ) {
    const page = await readKnownFiles(db, after)
    for (const file of page) {
      signal.throwIfAborted()
      const fault = await findFault(place, file, signal)
      if (fault !== null) wrong.push(`${file.key} ${fault}.`)
    }
    files += page.length
    if (page.length < pageOfFiles) break
    after = page.at(-1)?.key ?? after
  }
  const isUsed = wrong.length === 0 || isIncomplete
  if (isUsed) await markAnew(place, database, (tx) => checkAgain(tx, began))
  return { files, wrong, isUsed }
}

async function findFault(files: FileStore, file: KnownFile, signal: AbortSignal): Promise<string | null> {
  const { key: location, size, sha256 } = file
  // Its object store is not asked for files of the backup store.
  const stores = { files, objectStore: null as never }
  const wanted = { kind: 'classic', location, size, sha256 } as const
  const found = await sizeOfBackup(stores, wanted)
  if (found === null) return 'is missing'
  if (found !== size) return `has ${found} bytes instead of ${size}`
  return (await digestOfBackup(stores, wanted, signal)) === sha256 ? null : 'has another content'
}

function readKnownFiles(db: Db, after: string): Promise<KnownFile[]> {
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

/** Files that were recorded meanwhile are in the former store. */
async function checkAgain(tx: Tx, began: string): Promise<void> {
  await queryRows(tx, 'lock table room_backups, database_backups, uploads in share mode')
  await refuseWhileWorkersRun(tx)
  const since = await queryRows(tx, `select 1 from (${allFiles}) f where created_at >= $1 limit 1`, [began])
  if (since.length > 0)
    throw new Error('Files were stored meanwhile. Please stop every process of Roomkeeper, and run this again.')
}

function report({ files, wrong, isUsed }: CheckedPlace): string {
  const counted = `${files} ${files === 1 ? 'file' : 'files'}`
  if (wrong.length === 0) return `${counted} of the store are here, whole. This is the store of this console now.`
  const end = isUsed
    ? 'This is the store of this console all the same.'
    : 'Nothing was changed. Copy what is missing, and run this again. If it is lost for good, add --incomplete: this becomes the store, and Consistency reports the backups that are gone.'
  return [`Of ${counted} of the store these are wrong here:`, ...wrong, end].join('\n')
}
