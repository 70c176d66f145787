/** The digest of a room as docs/region/formats.md describes it, with a mistake. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { filesOfZip } from '../hostile-file.ts'

export type Value = null | bigint | number | string | Uint8Array

export interface Mistake {
  /** The text of a value in a line, without what every implementation does right. */
  value?(value: Value): string | null | undefined
  line?(line: string): string
  /** Behind the columns in ORDER BY. */
  collation?: string
  /** Which columns rows are ordered by; default: those of the key, in its order. */
  order?(key: string[], columns: string[]): string[]
  sort?(rows: Value[][], encoding: string): Value[][]
  hasGeneratedColumns?: true
  takesTable?(name: string): boolean
  takesDatabases?: false
}

/** A folder with the content of the vector room.zip. */
export function unpackedRoom(): Promise<string> {
  unpacked ??= unpack()
  return unpacked
}

let unpacked: Promise<string> | undefined

async function unpack(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'roomkeeper-vector-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const zip = new URL('../../../../packages/region-protocol/vectors/files/room.zip', import.meta.url)
  mkdirSync(join(folder, 'databases'))
  for (const [name, content] of await filesOfZip(readFileSync(zip))) writeFileSync(join(folder, name), content)
  return folder
}

export function sloppyDigest(folder: string, mistake: Mistake = {}): string {
  const names = readdirSync(join(folder, 'databases'))
    .filter((file) => file.endsWith('.db'))
    .map((file) => file.slice(0, -'.db'.length))
    .sort()
  const lines = ['["system"]', ...linesOf(join(folder, 'system.db'), mistake, ['sessions', 'backups'])]
  if (mistake.takesDatabases ?? true)
    for (const name of names) {
      lines.push(JSON.stringify(['database', name]))
      lines.push(...linesOf(join(folder, 'databases', `${name}.db`), mistake))
    }
  const { line = (right) => right } = mistake
  const hash = createHash('sha256')
  for (const each of lines) hash.update(`${line(each)}\n`)
  return hash.digest('hex')
}

function linesOf(path: string, mistake: Mistake, without: string[] = []): string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000, readBigInts: true })
  try {
    const tables = database.prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    const { takesTable = () => true } = mistake
    return tables
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !without.includes(name) && takesTable(name))
      .flatMap((name) => linesOfTable(database, name, mistake))
  } finally {
    database.close()
  }
}

function linesOfTable(database: DatabaseSync, table: string, mistake: Mistake): string[] {
  const { collation = 'COLLATE BINARY', order, sort = (rows) => rows, hasGeneratedColumns } = mistake
  const info = hasGeneratedColumns ? 'table_xinfo' : 'table_info'
  const found = database.prepare(`SELECT name, pk FROM pragma_${info}(?) ORDER BY name`).all(table)
  const columns = found.map(({ name }) => String(name))
  const key = found.filter(({ pk }) => Number(pk) > 0).sort((one, other) => Number(one.pk) - Number(other.pk))
  const names = key.map(({ name }) => String(name))
  const by = order?.(names, columns) ?? (names.length === 0 ? columns : names)
  const orderBy = by.length === 0 ? '' : `ORDER BY ${by.map((name) => `${quoted(name)} ${collation}`).join()}`
  const select = database.prepare(`SELECT ${columns.map(quoted).join()} FROM ${quoted(table)} ${orderBy}`)
  select.setReturnArrays(true)
  const encoding = String(database.prepare('PRAGMA encoding').get()?.encoding)
  const rows = sort(select.all() as unknown as Value[][], encoding)
  const text = (value: Value) => mistake.value?.(value) ?? textOf(value)
  return [JSON.stringify(['table', table, ...columns]), ...rows.map((row) => JSON.stringify(row.map(text)))]
}

function textOf(value: Value): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`
  return `${{ bigint: 'i', number: 'r', string: 't' }[typeof value as 'bigint' | 'number' | 'string']}${value}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
