/** Copies and settles whole database files. */
import { backup, DatabaseSync } from 'node:sqlite'
import { watched } from '#disk/files.ts'
import { openDatabase } from './database-handles.ts'

const pagesAtOnce = 2000

/**
 * Copies what the source's open transaction sees, while others go on writing.
 * @param clean removes rows that do not belong in the copy
 */
export async function copyDatabase(
  source: DatabaseSync,
  to: string,
  signal: AbortSignal,
  clean: (copy: DatabaseSync) => void = () => {},
): Promise<void> {
  signal.throwIfAborted()
  const options = { rate: pagesAtOnce, progress: () => signal.throwIfAborted() }
  await watched('sqlite-copy', to, () => backup(source, to, options))
  const copy = new DatabaseSync(to)
  try {
    // Without WAL the copy is a single file. It gets WAL again when it is opened for use.
    copy.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON')
    clean(copy)
  } finally {
    copy.close()
  }
}

/** Folds SQLite's companion files into the database file, so that this file alone holds the database. */
export function settleDatabase(path: string): void {
  const database = openDatabase(path)
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
