/**
 * A sandbox task: the digest of a room's content. docs/region.md describes the digested form for other implementations.
 * A value may have up to 1,000,000,000 bytes, so a value that does not fit into a string is digested in pieces.
 */
import { constants } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Report } from '#sandbox/report.ts'
import { openImmutable } from '#sqlite/check-database.ts'
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

function addTable(hash: Hash, database: DatabaseSync, name: string, { alive, asBytes = false }: How): Hash {
  const found = database.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY name').all(name) as {
    name: string
    pk: number
  }[]
  const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const order = (key.length > 0 ? key : found).map((column) => `${quoted(column.name)} COLLATE BINARY`).join(', ')
  const table = { database, name, columns: found.map((column) => quoted(column.name)), order }
  hash.update(`${JSON.stringify(['table', name, ...found.map((column) => column.name)])}\n`)
  const before = hash.copy()
  try {
    if (asBytes) addRowsAsBytes(hash, table, alive)
    else addRows(hash, table, alive)
    return hash
  } catch (error) {
    // Node throws for a row with a text that is longer than a string can be: then read all texts as bytes.
    if (isSqliteError(error) || !hasLongText(table)) throw error
    addRowsAsBytes(before, table, alive)
    return before
  }
}

const rowsAtOnce = 2000

function addRows(hash: Hash, { database, name, columns, order }: Table, alive: () => void): void {
  const rows = rowsOf(database, `SELECT ${columns.join(', ')} FROM ${quoted(name)} ORDER BY ${order}`)
  let count = 0
  for (const row of rows) {
    addRow(hash, row, alive)
    count += 1
    if (count % rowsAtOnce === 0) alive()
  }
}

function addRowsAsBytes(hash: Hash, { database, name, columns, order }: Table, alive: () => void): void {
  const encoding = String(database.prepare('PRAGMA encoding').get()?.encoding)
  const asBytes = columns.flatMap((column) => [
    `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`,
    `typeof(${column}) = 'text'`,
  ])
  for (const row of rowsOf(database, `SELECT ${asBytes.join(', ')} FROM ${quoted(name)} ORDER BY ${order}`)) {
    const values = columns.map((_, index): Value => {
      const value = row[2 * index] ?? null
      const isText = row[2 * index + 1] === 1n
      return isText && value instanceof Uint8Array
        ? { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength), encoding }
        : value
    })
    addRow(hash, values, alive)
    alive()
  }
}

function rowsOf(database: DatabaseSync, sql: string): Iterable<SqliteValue[]> {
  const rows = database.prepare(sql)
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  return rows.iterate() as Iterable<unknown> as Iterable<SqliteValue[]>
}

function hasLongText({ database, name, columns }: Table): boolean {
  return columns.some((column) => {
    const find = `SELECT 1 FROM ${quoted(name)} WHERE typeof(${column}) = 'text' AND octet_length(${column}) > ?`
    return database.prepare(find).get(constants.MAX_STRING_LENGTH / 4) !== undefined
  })
}

type SqliteValue = null | number | bigint | string | Uint8Array
/** A text as its bytes in the database. */
interface TextBytes {
  bytes: Buffer
  encoding: string
}
type Value = SqliteValue | TextBytes

/** How many characters of a value are turned into a string at once. */
const pieceLength = 1 << 24

function addRow(hash: Hash, row: readonly Value[], alive: () => void): void {
  if (!row.some(isLarge)) {
    hash.update(`${JSON.stringify(row.map((value) => textOf(value as SqliteValue)))}\n`)
    return
  }
  for (const [index, value] of row.entries()) {
    hash.update(index === 0 ? '[' : ',')
    if (!isLarge(value)) hash.update(JSON.stringify(textOf(value)))
    else {
      for (const piece of piecesOf(value)) hash.update(piece)
      alive()
    }
  }
  hash.update(']\n')
}

function isLarge(value: Value): value is string | Uint8Array | TextBytes {
  if (typeof value === 'string') return value.length > pieceLength
  if (value instanceof Uint8Array) return value.byteLength > pieceLength
  return typeof value === 'object' && value !== null
}

/** The same characters as `JSON.stringify(textOf(value))`. */
function* piecesOf(value: string | Uint8Array | TextBytes): Generator<string> {
  if (typeof value === 'string') {
    yield '"t'
    for (let from = 0; from < value.length; ) {
      const to = endOfPiece(value, from + pieceLength)
      yield inJson(value.slice(from, to))
      from = to
    }
  } else if (value instanceof Uint8Array) {
    yield '"b'
    for (let from = 0; from < value.byteLength; from += pieceLength)
      yield Buffer.from(value.buffer, value.byteOffset + from, Math.min(pieceLength, value.byteLength - from)).toString(
        'hex',
      )
  } else {
    yield '"t'
    for (const text of decoded(value)) yield inJson(text)
  }
  yield '"'
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Keeps both halves of a surrogate pair in one piece. */
function endOfPiece(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end
}

function* decoded({ bytes, encoding }: TextBytes): Generator<string> {
  if (encoding === 'UTF-16be') bytes.subarray(0, bytes.length & ~1).swap16()
  const [name, isInside] =
    encoding === 'UTF-8' ? (['utf8', isInsideUtf8] as const) : (['utf16le', isInsideUtf16] as const)
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + pieceLength, bytes.length)
    // A character has at most four bytes.
    for (let back = 0; back < 3 && to < bytes.length && isInside(bytes, to); back += 1) to -= 1
    yield bytes.toString(name, from, to)
    from = to
  }
}

function isInsideUtf8(bytes: Buffer, at: number): boolean {
  return (bytes.readUInt8(at) & 0xc0) === 0x80
}

/** Whether `at` is inside a character: at an odd position, or between the halves of a surrogate pair. */
function isInsideUtf16(bytes: Buffer, at: number): boolean {
  return at % 2 === 1 || (at + 1 < bytes.length && (bytes.readUInt8(at + 1) & 0xfc) === 0xdc)
}

function textOf(value: Exclude<Value, TextBytes>): string | null {
  if (value === null) return null
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value === 'number') return `r${value}`
  if (typeof value === 'string') return `t${value}`
  return `b${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
