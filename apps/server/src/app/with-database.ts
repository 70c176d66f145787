/** Opens the database for a program that is run by hand: that of DATABASE_URL, or else the embedded PostgreSQL. */
import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import { type Database, openDatabase } from '#platform/database.ts'
import { createLog } from '#platform/log.ts'
import type { Settings } from './settings.ts'

export async function withDatabase<T>(settings: Settings, work: (database: Database) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATA_DIR: dataDir, DATABASE_TIMEOUT_SECONDS: timeoutSeconds } = settings
  const postgres =
    DATABASE_URL === undefined ? await startEmbeddedPostgres({ dataDir, log: createLog('silent') }) : null
  const database = openDatabase(DATABASE_URL ?? postgres?.url ?? '', { timeoutSeconds, patient: true })
  try {
    return await work(database)
  } finally {
    await database.close()
    await postgres?.stop()
  }
}
