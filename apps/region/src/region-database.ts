/**
 * region.db: the data that belongs to the region and not to a room: its instance id, fences, redirects, jobs, and in
 * which rooms users are. While it is open, no other region server can use the same data folder.
 */
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '#sqlite/database-handles.ts'

export class DataFolderInUse extends Error {}

/** @throws {DataFolderInUse} when another process has it open for longer than `waitMilliseconds`. */
export function openRegionDatabase(path: string, waitMilliseconds = 8000): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: waitMilliseconds })
  try {
    // The first statement takes the exclusive lock, which lasts until the process ends, however it ends. A start writes
    // nothing unless the schema changes, so a region also starts on a full disk.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    if (versionOf(database) < schemaChanges.length) inTransaction(database, () => changeSchema(database))
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy)
      throw new DataFolderInUse('The data folder is used by another region server.')
    throw error
  }
}

/**
 * Identifies the region for ever and under any address. The first start makes the id, which is on disk before any
 * caller learns it. Only one process can make it, because no other has the database open.
 */
export function instanceIdOf(database: DatabaseSync): string {
  const known = database.prepare('SELECT id FROM instance').get() as { id: string } | undefined
  if (known !== undefined) return known.id
  const id = randomUUID()
  database.prepare('INSERT INTO instance (only, id) VALUES (1, ?)').run(id)
  return id
}

const busy = 5

function versionOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

function changeSchema(database: DatabaseSync): void {
  const version = versionOf(database)
  for (const [index, change] of schemaChanges.entries()) if (index >= version) database.exec(change)
  database.exec(`PRAGMA user_version = ${schemaChanges.length}`)
}

/** Forward only; the number of changes is the version. */
const schemaChanges = [
  `
  CREATE TABLE fences (operation TEXT PRIMARY KEY, fence INTEGER NOT NULL, seenAt TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE routes (room TEXT PRIMARY KEY, targetUrl TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- May list users who no longer exist, but never misses one who does.
  CREATE TABLE users (id TEXT NOT NULL, room TEXT NOT NULL, PRIMARY KEY (id, room)) STRICT, WITHOUT ROWID;
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, room TEXT NOT NULL, input TEXT NOT NULL, state TEXT NOT NULL,
    progress REAL NOT NULL, result TEXT, error TEXT, createdAt TEXT NOT NULL, endedAt TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_unfinished ON jobs (state) WHERE state IN ('queued', 'running');
  CREATE INDEX jobs_by_end ON jobs (endedAt);
  CREATE TABLE job_lines (
    job TEXT NOT NULL REFERENCES jobs ON DELETE CASCADE, n INTEGER NOT NULL,
    at TEXT NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (job, n)
  ) STRICT, WITHOUT ROWID;
  `,
  'CREATE TABLE instance (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL) STRICT;',
  // The file or folder that is at a certain path once the job has taken effect: see effects.ts.
  `ALTER TABLE jobs ADD COLUMN effect TEXT;
   CREATE INDEX jobs_by_effect ON jobs (room) WHERE effect IS NOT NULL;`,
]
