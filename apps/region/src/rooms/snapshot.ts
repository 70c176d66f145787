/** A consistent snapshot of a room's content, which can be read while users go on writing. */
import type { DatabaseSync } from 'node:sqlite'
import { readNamesSync, statIfPresentSync } from '#disk/files.ts'
import type { Region } from '#region.ts'
import { settleDatabase } from '#sqlite/copy-database.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { createLiveReader } from '#sqlite/live-reader.ts'
import { databasesIn } from './room-folders.ts'

export interface RoomSnapshot {
  system: DatabaseSync
  /** By name, sorted. */
  databases: Map<string, DatabaseSync>
  /** The paths, by name, of databases whose file alone holds the snapshot. Nothing changes these files meanwhile. */
  files: Map<string, string>
  /** The path of system.db, if the same is true of it; otherwise null. */
  systemFile: string | null
  /** The content of such a file. A chunk is valid until the second one after it is asked for. */
  read(path: string): AsyncIterable<Buffer>
}

/**
 * Runs the work on a snapshot and closes it. Call it only inside a job, because then no other job changes the room's
 * files meanwhile.
 */
export async function withSnapshot<T>(
  region: Region,
  room: string,
  work: (snapshot: RoomSnapshot) => Promise<T>,
): Promise<T> {
  const opened: DatabaseSync[] = []
  const reader = createLiveReader(region.handles)
  let isDone = false
  // All writes come from this thread, so databases pinned without an await in between are of the same moment.
  const pin = (path: string) => {
    settleDatabase(path)
    const database = openDatabase(path)
    opened.push(database)
    database.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    return database
  }
  try {
    const systemPath = region.folders.systemDatabase(room)
    const system = pin(systemPath)
    const systemFile = isAllInFile(systemPath) ? systemPath : null
    const databases = new Map<string, DatabaseSync>()
    const files = new Map<string, string>()
    for (const name of databasesIn(readNamesSync(region.folders.databases(room)))) {
      const path = region.folders.database(room, name)
      databases.set(name, pin(path))
      if (isAllInFile(path)) files.set(name, path)
    }
    const result = await work({ system, databases, files, systemFile, read: reader.read })
    isDone = true
    return result
  } finally {
    for (const database of opened) database.close()
    await reader.close(isDone)
  }
}

/**
 * Whether the WAL file is empty. If so, the transaction that has just begun reads only the database file, and as long
 * as it is open, SQLite writes nothing from the WAL back into that file (WAL's read lock 0).
 */
function isAllInFile(path: string): boolean {
  return (statIfPresentSync(`${path}-wal`)?.size ?? 0) === 0
}
