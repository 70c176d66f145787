/**
 * databases/<name>.db: the documents that users keep in a room, and when the database was made and changed.
 * An imported database may be any SQLite database; it then has neither of our tables, or others of their names.
 */
import type { DatabaseSync } from 'node:sqlite'

/** Fills an empty database file. */
export function fillDocumentsDatabase(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL, changedAt TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `)
  const now = new Date().toISOString()
  const insert = database.prepare('INSERT INTO about VALUES (?, ?)')
  insert.run('createdAt', now)
  insert.run('changedAt', now)
}

export interface DatabaseTimes {
  createdAt: string
  changedAt: string
}

/** null: it is not one of ours. */
export function readTimes(database: DatabaseSync): DatabaseTimes | null {
  if (!holdsDocuments(database)) return null
  const rows = database.prepare('SELECT name, value FROM about').all() as { name: string; value: string }[]
  const value = (name: string) => rows.find((row) => row.name === name)?.value ?? new Date(0).toISOString()
  return { createdAt: value('createdAt'), changedAt: value('changedAt') }
}

/** One of ours without a document; a database of another form is never taken for empty. */
export function isEmpty(database: DatabaseSync): boolean {
  return holdsDocuments(database) && database.prepare('SELECT 1 FROM documents LIMIT 1').get() === undefined
}

export function holdsDocuments(database: DatabaseSync): boolean {
  const columns = database.prepare(
    'SELECT group_concat(name) AS names FROM (SELECT name FROM pragma_table_info(?) ORDER BY name)',
  )
  return columns.get('about')?.names === 'name,value' && columns.get('documents')?.names === 'body,changedAt,id'
}
