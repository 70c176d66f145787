/**
 * A sandbox task: the digest of a room's content. docs/region/formats.md describes the digested form for other implementations.
 * A value may have up to 1,000,000,000 bytes, so a value that does not fit into a string is digested in pieces. Long
 * texts are taken as bytes anyway (digest-rows.ts, json-text.ts).
 */
import { constants } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Report } from '#sandbox/report.ts'
import { openImmutable } from '#sqlite/check-database.ts'
import { digestRows, type SqliteValue, type Value } from './digest-rows.ts'
import { localTables } from './local-tables.ts'

export interface ContentFiles {
  /** The path of system.db. Null: digest the databases only, without a line for each. */
  system: string | null
  /** Ordered by name. Nothing may change these files meanwhile. */
  databases: readonly { name: string; path: string }[]
}

/** Hexadecimal. */
export function digestContent({ system, databases }: ContentFiles, report: Report): string {
  let hash = createHash('sha256')
  if (system !== null) {
    hash.update(`${JSON.stringify(['system'])}\n`)
    hash = addFile(hash, system, localTables, { alive: () => report(0) })
  }
  for (const [index, { name, path }] of databases.entries()) {
    if (system !== null) hash.update(`${JSON.stringify(['database', name])}\n`)
    hash = addFile(hash, path, [], { alive: () => report(index / databases.length) })
    report((index + 1) / databases.length)
  }
  return hash.digest('hex')
}

/** The digest of a single database. `asBytes`: reads all texts as bytes, as if they were too long for strings. */
export function digestDatabase(database: DatabaseSync, options: { asBytes?: boolean } = {}): string {
  const how = { ...options, alive: () => undefined }
  return addDatabase(createHash('sha256'), database, [], how).digest('hex')
}

interface How {
  /** Reports that the task is still working. */
  alive(): void
  asBytes?: boolean
}

function addFile(hash: Hash, path: string, without: readonly string[], how: How): Hash {
  const database = openImmutable(path)
  try {
    return addDatabase(hash, database, without, how)
  } finally {
    database.close()
  }
}

function addDatabase(start: Hash, database: DatabaseSync, without: readonly string[], how: How): Hash {
  let hash = start
  const tables = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    .all() as { name: string }[]
  for (const { name } of tables) if (!without.includes(name)) hash = addTable(hash, database, name, how)
  return hash
}

interface Table {
  database: DatabaseSync
  name: string
  /** Quoted. */
  columns: string[]
  order: string
}

function addTable(start: Hash, database: DatabaseSync, name: string, { alive, asBytes = false }: How): Hash {
  const found = database.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY name').all(name) as {
    name: string
    pk: number
  }[]
  const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const order = (key.length > 0 ? key : found).map((column) => `${quoted(column.name)} COLLATE BINARY`).join(', ')
  const table = { database, name, columns: found.map((column) => quoted(column.name)), order }
  start.update(`${JSON.stringify(['table', name, ...found.map((column) => column.name)])}\n`)
  const withRows = (add: (hash: Hash) => void): Hash => {
    const hash = start.copy()
    add(hash)
    return hash
  }
  const asTexts = () => withRows((hash) => addRows(hash, table, alive))
  const asBytesFrom = (bytes: number) => withRows((hash) => addRowsAsBytes(hash, table, bytes, alive))
  if (asBytes) return asBytesFrom(0)
  try {
    if (mayHoldLongTexts(table)) return asBytesFrom(longTextBytes)
  } catch {
    // A statement with more columns has narrower limits: what fails for that reason alone succeeds as texts.
  }
  try {
    return asTexts()
  } catch (error) {
    // Node throws for a row with a text that is longer than a string can be: then read all texts as bytes.
    if (isSqliteError(error) || !hasLongestText(table)) throw error
    return asBytesFrom(0)
  }
}

/** From this length on, taking a text as bytes is faster than making it a string. */
const longTextBytes = 1 << 16
const sampledRows = 200
const columnsAtMost = 500

/** Judges by the first rows. It decides only how the table is read, not what the digest is. */
function mayHoldLongTexts({ database, name, columns }: Table): boolean {
  if (columns.length > columnsAtMost || encodingOf(database) !== 'UTF-8') return false
  return columns.some((column) => {
    const sample = `SELECT ${isLong(column, longTextBytes)} AS found FROM ${quoted(name)} LIMIT ${sampledRows}`
    return database.prepare(`SELECT max(found) AS found FROM (${sample})`).get()?.found === 1
  })
}

function isLong(column: string, bytes: number): string {
  return `typeof(${column}) = 'text' AND octet_length(${column}) >= ${bytes}`
}

const rowsAtOnce = 2000

function addRows(hash: Hash, { database, name, columns, order }: Table, alive: () => void): void {
  const rows = rowsOf(database, `SELECT ${columns.join(', ')} FROM ${quoted(name)} ORDER BY ${order}`)
  const digest = digestRows(hash, alive)
  let count = 0
  for (const row of rows) {
    digest.add(row)
    count += 1
    if (count % rowsAtOnce === 0) alive()
  }
  digest.end()
}

/** @param fromBytes shorter texts are read as strings */
function addRowsAsBytes(
  hash: Hash,
  { database, name, columns, order }: Table,
  fromBytes: number,
  alive: () => void,
): void {
  const encoding = encodingOf(database)
  const asBytes = columns.flatMap((column) => {
    const found = isLong(column, fromBytes)
    return [`CASE WHEN ${found} THEN CAST(${column} AS BLOB) ELSE ${column} END`, found]
  })
  const digest = digestRows(hash, alive)
  let count = 0
  for (const row of rowsOf(database, `SELECT ${asBytes.join(', ')} FROM ${quoted(name)} ORDER BY ${order}`)) {
    const values = columns.map((_, index): Value => {
      const value = row[2 * index] ?? null
      return row[2 * index + 1] === 1n && value instanceof Uint8Array
        ? { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength), encoding }
        : value
    })
    digest.add(values)
    count += 1
    if (fromBytes === 0 || count % rowsAtOnce === 0) alive()
  }
  digest.end()
}

function encodingOf(database: DatabaseSync): string {
  return String(database.prepare('PRAGMA encoding').get()?.encoding)
}

function rowsOf(database: DatabaseSync, sql: string): Iterable<SqliteValue[]> {
  const rows = database.prepare(sql)
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  return rows.iterate() as Iterable<unknown> as Iterable<SqliteValue[]>
}

function hasLongestText({ database, name, columns }: Table): boolean {
  return columns.some((column) => {
    const find = `SELECT 1 FROM ${quoted(name)} WHERE typeof(${column}) = 'text' AND octet_length(${column}) > ?`
    return database.prepare(find).get(constants.MAX_STRING_LENGTH / 4) !== undefined
  })
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
