/**
 * A sandbox task: checks a database file that came from outside, on which a statement may never end. The region can
 * open, settle and copy a file that passes like one of its own. Nothing in the file ever runs in the region: no view is
 * read, and documents are served only from tables of exactly our form (databases/documents-database.ts).
 */
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { readTimes } from '#databases/documents-database.ts'
import { Refusal, refuse } from '#refusals.ts'
import { databasesFolder, systemDatabaseFile } from '#rooms/room-folders.ts'
import { openDatabase } from './database-handles.ts'

/** More than real databases have. Limited because the region reads the schema whenever it opens the file. */
const schemaAtMost = { objects: 20_000, bytes: 16 * 1024 * 1024 }

export interface DatabaseCheck {
  path: string
  /** Also compares every index with its table, for files that we did not write. */
  thorough: boolean
}

/** `indexes-damaged`: nothing but indexes, which can be built anew from the rows. */
export type DatabaseState = 'sound' | 'indexes-damaged'

/**
 * The file must not be open elsewhere. Afterwards it has no companion files, and its indexes are sound.
 * @returns the state in which it was found
 * @throws {Refusal} 'wrong-content'
 */
export function checkDatabase(check: DatabaseCheck): DatabaseState {
  const state = inspectDatabase(check)
  settleInspected({ path: check.path, state })
  return state
}

/** The first part of it, which only reads. */
export function inspectDatabase({ path, thorough }: DatabaseCheck): DatabaseState {
  return orRefuse(`${nameOf(path)} is not a database.`, () => {
    const database = openImmutable(path)
    try {
      // To SQLite, a file without a page is an empty database, but an import of one is almost certainly a mistake.
      if (database.prepare('PRAGMA page_count').get()?.page_count === 0)
        throw wrongContent(`${nameOf(path)} is not a database.`)
      refuseSchema(database)
      if (thorough && complaintsOf(database, 'integrity_check').next().done) return 'sound'
      // quick_check is integrity_check without comparing indexes with their tables, but for the number of their entries.
      let state: DatabaseState = thorough ? 'indexes-damaged' : 'sound'
      for (const complaint of complaintsOf(database, 'quick_check')) {
        if (!complaint.startsWith('wrong # of entries in index ')) throw damaged(path, complaint)
        state = 'indexes-damaged'
      }
      return state
    } finally {
      database.close()
    }
  })
}

/** The rest of it: builds damaged indexes anew, and leaves the file as the region opens it. */
export function settleInspected({ path, state }: { path: string; state: DatabaseState }): void {
  if (state === 'indexes-damaged') rebuildIndexes(path)
  orRefuse(`${nameOf(path)} is not a database.`, () => settleForRegion(path))
}

/** Only reads tables and writes indexes. @throws {Refusal} also if the rows contradict an index, such as a unique one */
function rebuildIndexes(path: string): void {
  orRefuse(`${nameOf(path)} is damaged: its indexes cannot be built from its rows.`, () => {
    const database = openDatabase(path)
    try {
      database.exec('REINDEX')
    } finally {
      database.close()
    }
    const rebuilt = openImmutable(path)
    try {
      const [complaint] = complaintsOf(rebuilt, 'integrity_check')
      if (complaint !== undefined) throw damaged(path, complaint)
    } finally {
      rebuilt.close()
    }
  })
}

/** What SQLite finds wrong, one by one: it may fail on a damaged file after the first. */
function* complaintsOf(database: DatabaseSync, check: 'integrity_check' | 'quick_check'): Generator<string> {
  for (const row of database.prepare(`PRAGMA ${check}`).iterate()) {
    const complaint = String(Object.values(row)[0])
    if (complaint !== 'ok') yield complaint
  }
}

function damaged(path: string, complaint: string): Refusal {
  return wrongContent(`${nameOf(path)} is damaged: ${complaint.replace(/\s+/g, ' ').slice(0, complaintAtMost)}`)
}

const complaintAtMost = 200

/** As the file is named in a backup, such as `databases/main.db`. */
function nameOf(path: string): string {
  if (basename(path) === systemDatabaseFile) return systemDatabaseFile
  return basename(dirname(path)) === databasesFolder ? `${databasesFolder}/${basename(path)}` : 'the database in it'
}

/**
 * Opens a file only for reading, without locks or companion files. The file must not change meanwhile. Checks of a file
 * that is opened so pass over its CHECKs, which are expressions of its author.
 */
export function openImmutable(path: string): DatabaseSync {
  const database = new DatabaseSync(`${pathToFileURL(path)}?immutable=1`, { readOnly: true, defensive: true })
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -16000')
  return database
}

/** Turns SQLite's errors about a file into a refusal. Not failures of the disk, and short memory says nothing of it. */
export function orRefuse<T>(reason: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal || isOfStorage(error)) throw error
    if (sqliteCode(error) === outOfMemory) throw refuse('takes-too-much')
    throw wrongContent(reason)
  }
}

export function wrongContent(reason: string): Refusal {
  return refuse('wrong-content', { reason })
}

/** Refuses a schema that is too large or inconsistent: it may have been written by hand. */
function refuseSchema(database: DatabaseSync): void {
  const size = database
    .prepare('SELECT count(*) AS objects, total(octet_length(sql)) AS bytes FROM sqlite_schema')
    .get()
  if (Number(size?.objects) > schemaAtMost.objects || Number(size?.bytes) > schemaAtMost.bytes)
    throw wrongContent('a database in it has too many tables.')
  // SQLite also reads the rows of this table whenever it opens the file.
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined) {
    const statistics = database
      .prepare(
        'SELECT count(*) AS rows, total(coalesce(octet_length(tbl), 0) + coalesce(octet_length(idx), 0) + coalesce(octet_length(stat), 0)) AS bytes FROM sqlite_stat1',
      )
      .get()
    if (Number(statistics?.rows) > 2 * schemaAtMost.objects || Number(statistics?.bytes) > schemaAtMost.bytes)
      throw wrongContent('a database in it has too many statistics.')
  }
  const inconsistency = database.prepare(
    `SELECT 1 FROM sqlite_schema AS said LEFT JOIN pragma_table_list AS found
       ON found.schema = 'main' AND found.name = said.name
     WHERE said.type NOT IN ('table', 'view', 'index', 'trigger')
        OR said.type IN ('table', 'view') AND (found.name IS NULL OR (said.type = 'view') <> (found.type = 'view'))`,
  )
  if (inconsistency.get() !== undefined) throw wrongContent('a database in it is damaged.')
}

function settleForRegion(path: string): void {
  const database = openDatabase(path)
  try {
    readTimes(database)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

/** SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN, and errors of the file system. */
function isOfStorage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || [10, 13, 14].includes(sqliteCode(error) ?? 0)
}

const outOfMemory = 7

/** Without what the extended code adds in its upper bytes. */
function sqliteCode(error: unknown): number | undefined {
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}
