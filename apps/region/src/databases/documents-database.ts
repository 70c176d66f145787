/**
 * databases/<name>.db: the documents that users keep in a room, and when the database was made and changed.
 * An imported database may be any SQLite database; it then has neither of our tables, or others of their names. Only
 * tables of exactly our form hold documents: whatever else bears their names, such as a view or a table with triggers,
 * could keep the region from answering anybody.
 */
import type { DatabaseSync } from 'node:sqlite'

const ourTables = {
  about: 'CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  documents:
    'CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL, changedAt TEXT NOT NULL) STRICT, WITHOUT ROWID',
}

/** Fills an empty database file. */
export function fillDocumentsDatabase(database: DatabaseSync): void {
  for (const sql of Object.values(ourTables)) database.exec(sql)
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
  const find = database.prepare('SELECT substr(value, 1, 40) AS value FROM about WHERE name = ?')
  const value = (name: string) => {
    const time = Date.parse(String(find.get(name)?.value))
    return new Date(Number.isNaN(time) ? 0 : time).toISOString()
  }
  return { createdAt: value('createdAt'), changedAt: value('changedAt') }
}

/** One of ours without a document; a database of another form is never taken for empty. */
export function isEmpty(database: DatabaseSync): boolean {
  return holdsDocuments(database) && database.prepare('SELECT 1 FROM documents LIMIT 1').get() === undefined
}

/** Whether its tables are exactly ours, and nothing else acts when they change. */
export function holdsDocuments(database: DatabaseSync): boolean {
  const known = holding.get(database)
  if (known !== undefined) return known
  const holds = hasOurTables(database)
  holding.set(database, holds)
  return holds
}

/** By open handle: what is in a file changes its form only when the file is replaced. */
const holding = new WeakMap<DatabaseSync, boolean>()

function hasOurTables(database: DatabaseSync): boolean {
  const find = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
  for (const [name, sql] of Object.entries(ourTables)) {
    if (find.get(name)?.sql !== sql) return false
    const indexes = database.prepare('SELECT origin FROM pragma_index_list(?)').all(name)
    if (indexes.length !== 1 || indexes[0]?.origin !== 'pk') return false
  }
  // A commit would have to move all that is free to the end of the file, however much that is.
  if (database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum !== 0) return false
  // The stored type may be false; SQLite goes by the SQL text.
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE sql LIKE '%trigger%' LIMIT 1").get() === undefined
}
