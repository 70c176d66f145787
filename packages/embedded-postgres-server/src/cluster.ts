/**
 * The folder with the data. It is `postgres` in the data folder; or, if PostgreSQL's user cannot enter the data folder,
 * a folder in /var/lib/<application>, to which `postgres` is a symbolic link. Under its final name it is always
 * complete: initdb works in a temporary folder, which is then renamed.
 */
import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, readdir, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '@roomkeeper/durable-file'
import { type Application, failure, systemFolder } from './application.ts'
import type { Binaries } from './binaries.ts'
import { ConnectionFile } from './connection-file.ts'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import { type Identity, mayUse, ownerOf, postgresIdentity } from './identity.ts'
import { runProgram } from './run-program.ts'

export interface Cluster {
  /** Absolute, without symbolic links. */
  folder: string
  dataDir: string
  binaries: Binaries
  identity: Identity | null
  connection: ConnectionFile
  application: Application
}

export interface ClusterOptions {
  application: Application
  /** Absolute, without symbolic links. */
  dataDir: string
  /** The server's settings. `fsync: 'off'` also applies while the data is made. */
  settings?: Record<string, string>
}

/** Finds the data of a data folder, or makes it. The caller must hold the start lock. */
export async function ensureCluster(options: ClusterOptions, binaries: Binaries): Promise<Cluster> {
  const { dataDir, application } = options
  const folder = (await existingFolder(dataDir)) ?? (await createCluster(options, binaries))
  const identity = await ownerOf(folder)
  if (!(await mayUse(identity, folder, 5))) {
    const message = `PostgreSQL runs as user id ${identity?.uid} and cannot enter ${folder}: `
    throw failure(application, 'folder-closed', message, 'let it enter, or use another folder.')
  }
  const connection = await ConnectionFile.open(dataDir, application)
  return { folder, dataDir, binaries, identity, connection, application }
}

/** The name of new data that an upgrade has completed, until the new data replaces the old. */
export const upgradedName = 'postgres.upgraded'

async function existingFolder(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'postgres')
  if (!(await exists(path))) {
    if (!(await exists(join(dataDir, upgradedName)))) return null
    // An upgrade was killed between its last two steps.
    await rename(join(dataDir, upgradedName), path)
    await syncFolder(dataDir)
  }
  try {
    const folder = await realpath(path)
    await stat(join(folder, 'PG_VERSION'))
    if (await ConnectionFile.exists(dataDir)) return folder
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EACCES') throw error
    throw new EmbeddedPostgresError('not-a-cluster', `${path} is not the data of a PostgreSQL, or cannot be entered.`)
  }
  const file = join(dataDir, 'postgres.json')
  throw new EmbeddedPostgresError('password-lost', `${file} is missing: it holds the password of ${path}.`)
}

/** @param name its name in the data folder, which may be a link to another folder. @returns the folder */
export async function createCluster(options: ClusterOptions, binaries: Binaries, name = 'postgres'): Promise<string> {
  const { dataDir, application } = options
  const identity = postgresIdentity()
  const own = join(dataDir, name)
  const isOwnReachable = await mayUse(identity, dataDir, 1)
  const folder = isOwnReachable ? own : await outsideFolder(options)
  await removeUnfinished(folder)
  const connection = await ConnectionFile.open(dataDir, application)
  const unfinished = `${folder}.new-${process.pid}`
  await mkdir(unfinished, { mode: 0o700 })
  if (identity !== null) await chown(unfinished, identity.uid, identity.gid)
  await initialise(unfinished, { binaries, identity, connection, settings: options.settings ?? {} })
  await rename(unfinished, folder)
  await syncFolder(dirname(folder))
  if (!isOwnReachable) {
    await symlink(folder, own)
    await syncFolder(dataDir)
  }
  return folder
}

/** A new folder for the data if PostgreSQL cannot enter the data folder; never one that an earlier data folder left. */
async function outsideFolder({ dataDir, application }: ClusterOptions): Promise<string> {
  const parent = systemFolder(application)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  for (let count = 1; ; count++) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`)
    if (!(await exists(folder))) return folder
  }
}

/** Removes temporary folders of starts that were killed during initdb. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const entry of await readdir(dirname(folder))) {
    if (entry.startsWith(`${basename(folder)}.new-`)) {
      await rm(join(dirname(folder), entry), { recursive: true, force: true })
    }
  }
}

interface NewCluster extends Pick<Cluster, 'binaries' | 'identity' | 'connection'> {
  settings: Record<string, string>
}

async function initialise(folder: string, { binaries, identity, connection, settings }: NewCluster): Promise<void> {
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, `${connection.password}\n`, { mode: 0o600 })
  try {
    if (identity !== null) await chown(passwordFile, identity.uid, identity.gid)
    const parameters = [
      ['-D', folder, '-U', connection.user, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256'],
      ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      settings.fsync === 'off' ? ['--no-sync'] : [],
    ].flat()
    const { code, output } = await runProgram(binaries.initdb, parameters, { identity, cwd: dirname(folder) })
    if (code !== 0) {
      throw new EmbeddedPostgresError(
        'initdb-failed',
        `PostgreSQL could not make its data folder: ${lastLineOf(output)}`,
      )
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

function lastLineOf(output: string): string {
  return (
    output
      .trim()
      .split('\n')
      .findLast((line) => /error|fatal|panic/i.test(line)) ??
    output.trim().split('\n').at(-1) ??
    ''
  )
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
