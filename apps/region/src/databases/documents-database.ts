/**
 * databases/<name>.db: the documents that users keep in a room, and when the database was created and changed.
 * An imported database may be any SQLite database. It may lack our tables, or have others of the same names. Documents
 * are read and written only if the tables have exactly our form: anything else with their names, such as a view or a
 * table with triggers, could keep the region from answering any call.
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

/** Null: the database does not have exactly our tables. */
export function readTimes(database: DatabaseSync): DatabaseTimes | null {
  if (!holdsDocuments(database)) return null
  const find = database.prepare('SELECT substr(value, 1, 40) AS value FROM about WHERE name = ?')
  const value = (name: string) => {
    const time = Date.parse(String(find.get(name)?.value))
    return new Date(Number.isNaN(time) ? 0 : time).toISOString()
  }
  return { createdAt: value('createdAt'), changedAt: value('changedAt') }
}

/** Whether it has our tables and no document. A database of another form never counts as empty. */
export function isEmpty(database: DatabaseSync): boolean {
  return holdsDocuments(database) && database.prepare('SELECT 1 FROM documents LIMIT 1').get() === undefined
}

/** Whether the database has exactly our tables, and nothing else in it acts when they change. */
export function holdsDocuments(database: DatabaseSync): boolean {
  const known = holding.get(database)
  if (known !== undefined) return known
  const holds = hasOurTables(database)
  holding.set(database, holds)
  return holds
}

/** Cached by open handle: the form of a database changes only when its file is replaced. */
const holding = new WeakMap<DatabaseSync, boolean>()

function hasOurTables(database: DatabaseSync): boolean {
  const find = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
  for (const [name, sql] of Object.entries(ourTables)) {
    if (find.get(name)?.sql !== sql) return false
    const indexes = database.prepare('SELECT origin FROM pragma_index_list(?)').all(name)
    if (indexes.length !== 1 || indexes[0]?.origin !== 'pk') return false
  }
  // With auto-vacuum, a commit would have to move all free pages to the end of the file, however many they are.
  if (database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum !== 0) return false
  // Look for triggers in the SQL text, which SQLite goes by: the stored type may be wrong on purpose.
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE sql LIKE '%trigger%' LIMIT 1").get() === undefined
}
