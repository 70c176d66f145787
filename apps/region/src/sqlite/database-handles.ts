/**
 * Open SQLite handles, the least recently used closed when there are too many: a region has thousands of rooms.
 * A handle must not be kept across an await: it may be closed by then. One whose file was replaced, as when somebody
 * puts a room back by hand, is not used again: what it wrote would be in the file that was taken away.
 */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { watchedSync } from '#disk/files.ts'
import { databasesFolder } from '#rooms/room-folders.ts'

export interface DatabaseHandles {
  /** The open handle of an existing database file. */
  open(path: string): DatabaseSync
  /** Closes the handles of all files below a folder, or of one file; SQLite's companion files are folded in. */
  close(path: string): void
  closeAll(): void
}

export function createDatabaseHandles(limit = 120): DatabaseHandles {
  /** In order of use, the oldest first. */
  const handles = new Map<string, OpenFile>()
  const closeOne = (path: string) => {
    const known = handles.get(path)
    handles.delete(path)
    // Of a file that was moved away, SQLite leaves the companion files at the old path alone.
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

/** Opens a file that exists. A commit is on disk when it returns (WAL, synchronous FULL). */
export function openDatabase(path: string): DatabaseSync {
  // In databases from outside, foreign keys of unknown tables would act when a document changes.
  const foreignKeys = basename(dirname(path)) === databasesFolder ? 'OFF' : 'ON'
  // SQLite itself would make a missing file; `mode=rw` refuses, so that a lost database is never an empty one.
  const url = `file:${encodePath(path)}?mode=rw`
  const handle = watchedSync('sqlite-open', path, () => new DatabaseSync(url, { timeout: 5000, defensive: true }))
  try {
    // A database may come from anybody: its schema must not call functions with effects, or choose how much memory to
    // use.
    handle.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2000; PRAGMA foreign_keys = ${foreignKeys}`)
    handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return handle
  } catch (error) {
    handle.close()
    throw error
  }
}

/** Makes a new database file, quickly; the caller brings it to disk. */
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

/** A statement that changes the database, and is a transaction by itself. */
export function committing<T>(database: DatabaseSync, change: () => T): T {
  return watchedSync('sqlite-commit', database.location() ?? '', change)
}

/** All or nothing. */
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
