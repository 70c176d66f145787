/** Copies of whole database files. */
import { backup, DatabaseSync } from 'node:sqlite'
import { watched } from '#disk/files.ts'
import { openDatabase } from './database-handles.ts'

const pagesAtOnce = 2000

/**
 * Copies what the source's open transaction sees, while others go on writing.
 * @param clean removes what does not belong into the copy.
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
    // One file without a companion: it is opened with WAL again where it is used.
    copy.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON')
    clean(copy)
  } finally {
    copy.close()
  }
}

/** Folds SQLite's companion files into the database file, so that this file alone is the database. */
export function settleDatabase(path: string): void {
  const database = openDatabase(path)
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
