/** The statements that make the tables of a room, as SQLite has them. */
import { DatabaseSync } from 'node:sqlite'
import { fillDocumentsDatabase } from '../../apps/region/src/databases/documents-database.ts'
import { changeSystemSchema } from '../../apps/region/src/rooms/system-database.ts'

export function systemSchema() {
  return statementsOf((database) => changeSystemSchema(database, 0))
}

export function documentsSchema() {
  return statementsOf(fillDocumentsDatabase)
}

function statementsOf(fill) {
  const database = new DatabaseSync(':memory:')
  try {
    fill(database)
    const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all()
    return rows.map(({ sql }) => `${sql.replace(/\n {4}/g, '\n  ').replace(/\n {2}\)/, '\n)')};`).join('\n')
  } finally {
    database.close()
  }
}
