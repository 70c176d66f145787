/**
 * `npm run store:use`: see docs/backup-store.md. Settings as for the server, with the new place as BACKUP_STORE. Exit
 * code 0: it is the store now; 1: it is not, for files are missing; 2: it could not be checked.
 */
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import { readSettings } from '#app/settings.ts'
import { backupStoreOf } from '#app/store-settings.ts'
import { type CheckedPlace, useStore } from '#app/use-store.ts'
import { openDatabase } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { createLog } from '#platform/log.ts'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

try {
  const { values } = parseArgs({ options: { incomplete: { type: 'boolean', default: false } } })
  const checked = await check(values.incomplete)
  console.log(report(checked))
  process.exitCode = checked.isUsed ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : 'unknown error')
  process.exitCode = 2
}

// Not by itself: with connections just closed, Node 24 was seen to turn for ever instead of ending.
process.exit()

async function check(isIncomplete: boolean): Promise<CheckedPlace> {
  const settings = readSettings(process.env)
  const { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: level } = settings
  const postgres = url === undefined ? await startEmbeddedPostgres({ dataDir, log: createLog(level) }) : null
  const database = openDatabase(url ?? postgres?.url ?? '', {
    timeoutSeconds: settings.DATABASE_TIMEOUT_SECONDS,
    patient: true,
  })
  try {
    const place = createFileStore(backupStoreOf(settings))
    return await useStore({ database, place, isIncomplete, signal: stopping.signal })
  } finally {
    await database.close()
    await postgres?.stop()
  }
}

function report({ files, wrong, isUsed }: CheckedPlace): string {
  const counted = `${files} ${files === 1 ? 'file' : 'files'}`
  if (wrong.length === 0) return `${counted} of the store are here, whole. This is the store of this console now.`
  const end = isUsed
    ? 'This is the store of this console all the same.'
    : 'Nothing was changed. Copy what is missing, and run this again. If it is lost for good, add --incomplete: this becomes the store, and Consistency reports the backups that are gone.'
  return [`Of ${counted} of the store these are wrong here:`, ...wrong, end].join('\n')
}
