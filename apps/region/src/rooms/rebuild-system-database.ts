/**
 * A sandbox task: rebuilds the system.db of a room backup that came from outside. The file itself is never used. Its
 * rows are copied into tables of our own, so that nothing but rows gets into the region.
 */
import { rename, rm } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { checkDatabase, openImmutable, orRefuse, wrongContent } from '#sqlite/check-database.ts'
import { createDatabase } from '#sqlite/database-handles.ts'
import { localTables } from './local-tables.ts'
import { readSettings } from './room-settings.ts'
import { changeSystemSchema, newestSchemaVersion, schemaVersionOf, systemTables } from './system-database.ts'
import { listUsers } from './users.ts'

/** More than any room has. The limit is needed because the region reads all users of a room at once. */
const rowsAtMost = 200_000

/** Replaces the file by one with the same schema version and content. @throws {Refusal} 'wrong-content' */
export async function rebuildSystemDatabase({ path }: { path: string }): Promise<void> {
  checkDatabase({ path, thorough: false })
  const temporary = `${path}.rebuilt`
  const source = openImmutable(path)
  try {
    orRefuse('a database in it has another structure.', () => {
      const version = versionOf(source)
      refuseOtherTables(source)
      createDatabase(temporary, (database) => {
        changeSystemSchema(database, 0, version)
        for (const table of copiedTables) copyRows(source, database, table)
        // Fail now, if the region could not read these later.
        readSettings(database)
        listUsers(database)
      })
    })
    source.close()
    await rename(temporary, path)
  } finally {
    if (source.isOpen) source.close()
    await rm(temporary, { force: true })
  }
}

const copiedTables = systemTables.filter((table) => table !== 'schema_version' && !localTables.includes(table))

function versionOf(source: DatabaseSync): number {
  const version = schemaVersionOf(source)
  if (!Number.isInteger(version) || version < 1 || version > newestSchemaVersion)
    throw wrongContent('a database in it has another structure.')
  return version
}

function refuseOtherTables(source: DatabaseSync): void {
  const tables = source
    .prepare(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'view' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all() as { name: string; type: string }[]
  const isOwnTable = tables.every(({ name, type }) => type === 'table' && systemTables.includes(name))
  if (!isOwnTable || tables.length !== systemTables.length)
    throw wrongContent('a database in it has another structure.')
}

function copyRows(source: DatabaseSync, into: DatabaseSync, table: string): void {
  const columns = columnsOf(into, table)
  if (columnsOf(source, table).join() !== columns.join()) throw wrongContent('a database in it has another structure.')
  // An index may lack rows.
  const rows = source.prepare(`SELECT ${columns.join(', ')} FROM ${table} NOT INDEXED LIMIT ${rowsAtMost + 1}`)
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  const insert = into.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  let count = 0
  for (const row of rows.iterate() as Iterable<unknown>) {
    insert.run(...(row as (string | bigint | null)[]))
    count += 1
    if (count > rowsAtMost) throw wrongContent(`its table ${table} has too many rows.`)
  }
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?) ORDER BY name').all(table)
  return columns.map(({ name }) => String(name))
}
