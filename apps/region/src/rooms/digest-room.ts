/**
 * The digest of a room: SHA-256 over the logical content of system.db and of its databases, so that copies of a room
 * have the same digest on any region. The name and roomId, the state, the lock, sessions and times of backups are not
 * content. docs/region.md describes the form for other implementations.
 */
import { createHash, type Hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { JobKind } from '#jobs/job-kind.ts'
import { findOwnRoom } from './find-room.ts'
import { type RoomSnapshot, withSnapshot } from './snapshot.ts'
import { localTables } from './system-database.ts'

export const digestRoom: JobKind<'digestRoom'> = {
  check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
  run: async ({ region, input, signal, progress, say }) => {
    findOwnRoom(region, input.room, input.roomId)
    const digest = await withSnapshot(region, input.room, (snapshot) => digestSnapshot(snapshot, signal, progress))
    say(`The digest of ${input.room} is ${digest}.`)
    return { digest }
  },
}

/** Hexadecimal. */
async function digestSnapshot(
  { system, databases }: RoomSnapshot,
  signal: AbortSignal,
  progress: (fraction: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  addLine(hash, ['system'])
  await addDatabase(hash, system, localTables, signal)
  let done = 0
  for (const [name, database] of databases) {
    addLine(hash, ['database', name])
    await addDatabase(hash, database, [], signal)
    done += 1
    progress(done / databases.size)
  }
  return hash.digest('hex')
}

/** The digest of one database alone. */
export async function digestDatabase(database: DatabaseSync, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await addDatabase(hash, database, [], signal)
  return hash.digest('hex')
}

async function addDatabase(hash: Hash, database: DatabaseSync, without: readonly string[], signal: AbortSignal) {
  const tables = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    .all() as { name: string }[]
  for (const { name } of tables) if (!without.includes(name)) await addTable(hash, database, name, signal)
}

const rowsAtOnce = 2000

async function addTable(hash: Hash, database: DatabaseSync, table: string, signal: AbortSignal): Promise<void> {
  const columns = database.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY name').all(table) as {
    name: string
    pk: number
  }[]
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const order = (key.length > 0 ? key : columns).map(({ name }) => `${quoted(name)} COLLATE BINARY`).join(', ')
  const names = columns.map(({ name }) => name)
  addLine(hash, ['table', table, ...names])
  const rows = database.prepare(`SELECT ${names.map(quoted).join(', ')} FROM ${quoted(table)} ORDER BY ${order}`)
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  let count = 0
  for (const row of rows.iterate() as Iterable<unknown>) {
    addLine(hash, (row as SqliteValue[]).map(textOf))
    count += 1
    if (count % rowsAtOnce === 0) {
      await letOthersRun()
      signal.throwIfAborted()
    }
  }
}

type SqliteValue = null | number | bigint | string | Uint8Array

function textOf(value: SqliteValue): string | null {
  if (value === null) return null
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value === 'number') return `r${value}`
  if (typeof value === 'string') return `t${value}`
  return `b${Buffer.from(value).toString('hex')}`
}

function addLine(hash: Hash, values: (string | null)[]): void {
  hash.update(`${JSON.stringify(values)}\n`)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
