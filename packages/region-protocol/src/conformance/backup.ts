/** Reads backups without the region, as docs/region/formats.md describes them, and what is in their databases. */
import { createHash } from 'node:crypto'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { type BackupManifest, manifestFile, parseManifest, wrongFieldOfManifest } from '../backup-manifest.ts'
import { CheckFailed, expectEqual, expectThat } from './check.ts'
import { readZip } from './read-zip.ts'
import type { Read } from './vectors.ts'

export interface Backup {
  manifest: BackupManifest
  /** By path, without the manifest. */
  files: Files
  /** Their names. */
  databases: string[]
}

type Files = ReadonlyMap<string, Buffer>

/** Expects a backup as docs/region/formats.md describes it. */
export async function readBackup(bytes: Buffer): Promise<Backup> {
  const files = await readZip(bytes)
  const text = String(files.get(manifestFile) ?? '')
  const manifest = parseManifest(text)
  if (manifest === null) {
    const what = files.has(manifestFile) ? `its ${wrongFieldOfManifest(text) ?? 'JSON'} is not` : 'there is none'
    throw new CheckFailed(`expected a manifest.json as the page says, but ${what}: ${text.slice(0, 500)}`)
  }
  files.delete(manifestFile)
  const found = [...files].map(([path, content]) => ({ path, size: content.length, sha256: sha256Of(content) }))
  expectEqual(manifest.files.toSorted(byPath), found.toSorted(byPath), 'the files that the manifest lists')
  const sinceMade = Math.abs(Date.now() - Date.parse(manifest.createdAt))
  expectThat(sinceMade < aDay, 'createdAt within a day of now', manifest.createdAt)
  for (const [path, content] of files) {
    const isNamed = path === 'system.db' || /^databases\/[^/]+\.db$/.test(path)
    expectThat(isNamed && path === path.normalize('NFC'), 'system.db or databases/<name>.db, in NFC', path)
    expectEqual(integrityOf(content), 'ok', `PRAGMA integrity_check of ${path}`)
  }
  const system = files.get('system.db')
  expectEqual(system !== undefined, manifest.kind === 'room', 'whether system.db is in the backup')
  if (system !== undefined) expectSystemDatabase(system, manifest)
  const paths = [...files.keys()].filter((path) => path !== 'system.db')
  return { manifest, files, databases: paths.map((path) => path.slice('databases/'.length, -'.db'.length)) }
}

const aDay = 24 * 60 * 60_000
const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)
const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** What SQLite says of the whole file, `ok` if it is in order. */
function integrityOf(content: Buffer): string {
  try {
    return String(rowsOf(content, 'PRAGMA integrity_check')[0]?.integrity_check)
  } catch (error) {
    return String(error)
  }
}

function expectSystemDatabase(system: Buffer, manifest: BackupManifest): void {
  const columns = rowsOf(
    system,
    `SELECT t.name AS name, group_concat(c.name, ' ' ORDER BY c.name) AS columns
     FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY t.name`,
  )
  expectEqual(
    Object.fromEntries(columns.map(({ name, columns }) => [name, columns])),
    systemColumns,
    'the tables of system.db and their columns',
  )
  for (const table of ['sessions', 'backups'])
    expectEqual(rowsOf(system, `SELECT * FROM ${table}`), [], `the rows of ${table} in system.db`)
  const { schemaVersion, licences, subLicences, subMiningType, expirationDate, contacts } = manifest
  expectEqual(rowsOf(system, 'SELECT version FROM schema_version'), [{ version: schemaVersion }], 'schema_version')
  const settings = rowsOf(system, 'SELECT name, value FROM settings')
  expectEqual(
    Object.fromEntries(settings.map(({ name, value }) => [name, JSON.parse(String(value))])),
    { subMiningType, expirationDate, contacts },
    'settings in system.db, compared with the manifest',
  )
  const inOrder = (table: string, fields: string) => rowsOf(system, `SELECT ${fields} FROM ${table} ORDER BY position`)
  expectEqual(
    inOrder('licences', 'licenseKey, licenseAmount, licenseType'),
    licences,
    'licences in system.db, compared with the manifest',
  )
  expectEqual(
    inOrder('sub_licences', 'licenseKey, subLicenseAmount, productKey'),
    subLicences,
    'sub_licences in system.db, compared with the manifest',
  )
}

/** By table, in the order of their names. */
const systemColumns = {
  backups: 'database takenAt',
  licences: 'licenseAmount licenseKey licenseType position',
  schema_version: 'version',
  sessions: 'id lastActiveAt startedAt tokenHash userId',
  settings: 'name value',
  sub_licences: 'licenseKey position productKey subLicenseAmount',
  users: 'createdAt email id licenseKey role',
}

/** Expects that the databases hold what the vector says. */
export function expectReads(files: Files, reads: readonly Read[], what: string): void {
  for (const { database, sql, rows } of reads) {
    const content = files.get(`databases/${database}.db`)
    if (content === undefined) throw new CheckFailed(`${what}: expected a database ${database} in the backup, got none`)
    expectEqual(markedRowsOf(content, sql), rows, `${what}, in ${database}: ${sql}`)
  }
}

/** What the query finds in the database. */
export function rowsOf(content: Buffer, sql: string): Record<string, unknown>[] {
  using database = opened(content)
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }))
}

/** The same, with values as vectors have them. */
function markedRowsOf(content: Buffer, sql: string): (string | null)[][] {
  using database = opened(content, { readBigInts: true, returnArrays: true })
  const rows = database.prepare(sql).all() as unknown as (string | number | bigint | null)[][]
  return rows.map((row) => row.map((value) => (value === null ? null : `${marks[typeof value]}${value}`)))
}

const marks: Record<string, string> = { string: 't', number: 'r', bigint: 'i' }

function opened(content: Buffer, options: DatabaseSyncOptions = {}): DatabaseSync {
  const database = new DatabaseSync(':memory:', options)
  const bytes = Buffer.from(content)
  // A database in memory has no WAL: bytes 18 and 19 say that it is not in WAL mode.
  bytes.fill(1, 18, 20)
  database.deserialize(bytes)
  return database
}
