/** What is in rooms: rooms that hold vectors, and backups that the kit reads without the region. */
import { createHash } from 'node:crypto'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { type BackupManifest, manifestFile, parseManifest, wrongFieldOfManifest } from '../backup-manifest.ts'
import type { JobResult } from '../jobs.ts'
import type { RoomCreation } from '../schemas.ts'
import { CheckFailed, expectEqual, expectThat } from './check.ts'
import { largeExport } from './large-export.ts'
import { readZip } from './read-zip.ts'
import type { NewRoom, Region } from './region-under-test.ts'
import { sourceOf } from './source-of.ts'
import { type BackupVector, backupVector, contentOf, type ExportVector, type Read } from './vectors.ts'

export type VectorRoom = NewRoom & { vector: BackupVector }

/** A new room that holds a vector, such as `room.zip`; a product backup has joined the room that it is for. */
export async function roomWith(
  region: Region,
  name: string,
  creation: Partial<RoomCreation> = {},
): Promise<VectorRoom> {
  const vector = backupVector(name)
  const room = await region.newRoom(creation)
  const { lockHolder: holder } = creation
  for (const { file } of [...(vector.into === undefined ? [] : [backupVector(vector.into)]), vector]) {
    const sent = await upload(region, contentOf(file))
    await region.run({ type: 'restoreRoom', ...room.own, file: sent, ...(holder === undefined ? {} : { holder }) })
  }
  return { ...room, vector }
}

/** A room whose databases are so large that a job takes a moment. */
export async function largeRoom(region: Region): Promise<NewRoom> {
  const room = await region.newRoom()
  const { bytes, password } = largeExport(largeMegabytes)
  const file = await upload(region, bytes)
  await region.run({ type: 'importDatabase', ...room.own, database: 'large', file, password })
  return room
}

/** Enough for a multipart upload of two parts. */
const largeMegabytes = 12

/** @returns the id of the file */
export async function upload({ client, newId }: Region, bytes: Uint8Array): Promise<string> {
  const id = newId()
  await client.putFile(id, sourceOf(bytes))
  return id
}

/** The whole file; of the size and SHA-256 that its job told, if they are given. */
export async function fetchFile(
  { client }: Region,
  made: { file: string } | JobResult<'backupDatabase'>,
): Promise<Buffer> {
  const wanted = 'size' in made ? made : undefined
  return Buffer.concat(await (await client.getFile(made.file, wanted)).content.toArray())
}

/** The content with one bit changed, in the middle unless `at` says where. */
export function altered(content: Buffer, at = Math.floor(content.length / 2)): Buffer {
  const changed = Buffer.from(content)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

export interface Backup {
  manifest: BackupManifest
  /** By path, without the manifest. */
  files: Files
  /** Their names. */
  databases: string[]
}

type Files = ReadonlyMap<string, Buffer>

/** Backs the room up, and reads the backup without the region. */
export async function backUp(region: Region, room: string): Promise<Backup> {
  const backup = await readBackup(await fetchFile(region, await region.run({ type: 'backupRoom', room })))
  const { manifest } = backup
  const told = await region.client.room(room)
  expectEqual(
    [manifest.kind, manifest.room, manifest.product, manifest.edition, manifest.schemaVersion],
    ['room', room, told?.product, told?.edition, told?.schemaVersion],
    'kind, room, product, edition and schemaVersion in the manifest',
  )
  expectEqual(backup.databases.toSorted(), told?.databases.toSorted(), 'the databases in the backup')
  return backup
}

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

/** Expects the room to hold the vector: by the digest that the region tells. */
export async function expectDigest(
  region: Region,
  room: string,
  vector: BackupVector | ExportVector,
  what: string,
): Promise<void> {
  expectEqual(await region.digestOf(room), vector.roomDigest ?? vector.digest, `${what}: the digest of the room`)
}

/** Expects the same by the digest and by a backup that the kit reads. */
export async function expectVector(
  region: Region,
  room: string,
  vector: BackupVector | ExportVector,
  what: string,
): Promise<Backup> {
  await expectDigest(region, room, vector, what)
  const backup = await backUp(region, room)
  expectReads(backup.files, vector.reads, what)
  return backup
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
