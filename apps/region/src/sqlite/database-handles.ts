/**
 * Keeps SQLite handles open. A region has thousands of rooms, so it closes the least recently used handle when there
 * are too many. Callers must not keep a handle across an await, because it may be closed by then. A handle whose file
 * was replaced, as when an operator puts a room back by hand, is not used again: it would write into the file that was
 * replaced.
 */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { watchedSync } from '#disk/files.ts'
import { databasesFolder } from '#rooms/room-folders.ts'

export interface DatabaseHandles {
  /** The open handle of an existing database file. */
  open(path: string): DatabaseSync
  /** Closes the handles of a file, or of all files below a folder. Closing folds SQLite's companion files in. */
  close(path: string): void
  closeAll(): void
}

export function createDatabaseHandles(limit = 120): DatabaseHandles {
  /** The least recently used first. */
  const handles = new Map<string, OpenFile>()
  const closeOne = (path: string) => {
    const known = handles.get(path)
    handles.delete(path)
    // If the file was moved away, SQLite leaves the companion files at the old path alone.
    known?.handle.close()
  }
  return {
    open(path) {
      const inode = inodeOf(path)
      if (handles.has(path) && handles.get(path)?.inode !== inode) closeOne(path)
      const known = handles.get(path) ?? { handle: openDatabase(path), inode }
      handles.delete(path)
      handles.set(path, known)
      if (handles.size > limit) closeOne(handles.keys().next().value ?? path)
      return known.handle
    },
    close(path) {
      for (const key of [...handles.keys()]) if (key === path || key.startsWith(`${path}/`)) closeOne(key)
    },
    closeAll() {
      for (const key of [...handles.keys()]) closeOne(key)
    },
  }
}

interface OpenFile {
  handle: DatabaseSync
  inode: string | null
}

function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Opens an existing file. A commit is on disk when it returns (WAL, synchronous FULL). */
export function openDatabase(path: string): DatabaseSync {
  // A room's databases may come from outside: foreign keys of unknown tables would act when a document changes.
  const foreignKeys = basename(dirname(path)) === databasesFolder ? 'OFF' : 'ON'
  // By default SQLite creates a missing file. `mode=rw` refuses instead, so that a lost database never becomes an empty
  // one.
  const url = `file:${encodePath(path)}?mode=rw`
  const handle = watchedSync('sqlite-open', path, () => new DatabaseSync(url, { timeout: 5000, defensive: true }))
  try {
    // A database may come from an attacker: its schema must neither call functions with side effects nor decide how
    // much memory is used.
    handle.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2000; PRAGMA foreign_keys = ${foreignKeys}`)
    handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return handle
  } catch (error) {
    handle.close()
    throw error
  }
}

/** Creates a database file without syncing it, which is faster. The caller brings it to disk. */
export function createDatabase(path: string, fill: (database: DatabaseSync) => void): void {
  const database = watchedSync('sqlite-open', path, () => new DatabaseSync(path))
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    inTransaction(database, () => fill(database))
    database.exec('PRAGMA journal_mode = WAL')
  } finally {
    database.close()
  }
}

/** Runs a change that commits: a `COMMIT`, or a single statement outside a transaction. */
export function committing<T>(database: DatabaseSync, change: () => T): T {
  return watchedSync('sqlite-commit', database.location() ?? '', change)
}

/**
 * The same, without waiting for the disk: a power cut may take the change back, but no earlier one and none that is
 * committed with `committing` after it; the death of the process takes nothing back.
 */
export function committingWithoutSync<T>(database: DatabaseSync, change: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL')
  try {
    return committing(database, change)
  } finally {
    database.exec('PRAGMA synchronous = FULL')
  }
}

/** Commits all changes of the work, or none if it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    committing(database, () => database.exec('COMMIT'))
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
