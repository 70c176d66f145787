/**
 * Lets only one process at a time start or stop the PostgreSQL of a data folder. The lock is SQLite's lock on an empty
 * file: the kernel releases it when its process dies, so it can never be stale.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = new DatabaseSync(join(dataDir, 'postgres.lock'))
  try {
    file.exec('pragma busy_timeout = 0')
    while (!isLocked(file)) await pause(20)
    return await work()
  } finally {
    file.close()
  }
}

const sqliteBusy = 5

function isLocked(file: DatabaseSync): boolean {
  try {
    file.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
    throw error
  }
}
