/** Makes files that are meant to do harm, for tests. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'
import { exportDatabase } from '#archives/database-export.ts'
import { storedZip } from '#archives/stored-zip.ts'

const never = new AbortController().signal

/** Passes a path in a temporary folder to the work, and removes the folder afterwards. */
export async function withPath<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-hostile-'))
  try {
    return await work(join(folder, 'file'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The bytes of a new database, or of the given one, after running these statements. */
export function databaseWith(sql: string, content?: Buffer): Promise<Buffer> {
  return withPath(async (path) => {
    if (content !== undefined) await writeFile(path, content)
    const database = new DatabaseSync(path, { defensive: false, enableForeignKeyConstraints: false })
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA ignore_check_constraints = ON')
    database.exec(sql)
    database.close()
    return readFile(path)
  })
}

/** A database whose index lacks a row that its table has, or whose table is torn. One row breaks a CHECK: no damage. */
export async function damagedDatabase(what: 'index' | 'table'): Promise<Buffer> {
  const sound = await databaseWith(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, word TEXT CHECK (id > 1)); CREATE INDEX words ON orders (word);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO orders SELECT i, 'word' || i FROM n;`)
  const damaged = Buffer.from(sound)
  const first = sound.indexOf('word59')
  if (what === 'index') damaged.write('wordXX', first)
  else damaged.fill(0xa5, 4096, 4200)
  return damaged
}

/** The first value that the query finds in the database. */
export function valueIn(content: Buffer, select: string): Promise<unknown> {
  return withPath(async (path) => {
    await writeFile(path, content)
    const database = new DatabaseSync(path)
    try {
      return Object.values(database.prepare(select).get() ?? {})[0]
    } finally {
      database.close()
    }
  })
}

/** An export of any content with the password `p` and a cheap scrypt. */
export function exportOf(content: Buffer): Promise<Buffer> {
  return withPath(async (path) => {
    await writeFile(path, content)
    await exportDatabase(path, `${path}.adb`, 'p', never, [10, 8, 1])
    return readFile(`${path}.adb`)
  })
}

/** The files of a .zip by name, in their order. */
export async function filesOfZip(zip: Buffer): Promise<Map<string, Buffer>> {
  const opened = await yauzl.fromBufferPromise(zip, { lazyEntries: true })
  const files = new Map<string, Buffer>()
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  return files
}

/** The backup with changed files, whose digests its manifest has. */
export async function backupWith(zip: Buffer, changed: Record<string, Buffer>): Promise<Buffer> {
  const files = await filesOfZip(zip)
  const manifest = JSON.parse(String(files.get('manifest.json'))) as { files: object[] }
  files.delete('manifest.json')
  for (const [name, content] of Object.entries(changed)) files.set(name, content)
  manifest.files = [...files].map(([path, content]) => {
    return { path, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  })
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  return zipOf(files)
}

export async function zipOf(files: Map<string, Buffer>): Promise<Buffer> {
  const entries = async function* () {
    for (const [name, content] of files) yield { name, content: [content] }
  }
  return buffer(storedZip(entries()))
}

/** A query that never ends. */
export const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0'

/** A condition on `x` of a few megabytes that would keep SQLite busy for days. */
export const endlessCondition = "instr(hex(zeroblob(10000000)), hex(zeroblob(5000000)) || x || 'b') = 0"
