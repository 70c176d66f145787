/**
 * The folder with the data. It is `postgres` in the data folder; or, if PostgreSQL's user cannot enter the data folder,
 * a folder in /var/lib/roomkeeper, to which `postgres` is a symbolic link. Under its final name it is always complete:
 * initdb works in a temporary folder, which is then renamed. Beside it, `postgres.json` says how to connect.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { replaceFile, syncFolder } from '@roomkeeper/durable-file'
import {
  type Binaries,
  type Identity,
  majorOfBinaries,
  mayUse,
  ownerOf,
  postgresIdentity,
  runProgram,
  systemFolder,
} from './programs.ts'

export interface Cluster {
  /** Absolute, without symbolic links. */
  folder: string
  dataDir: string
  binaries: Binaries
  identity: Identity
  connection: Connection
}

export type Connection = { port: number; password: string }

/** The superuser and the database. The name is part of the data and never changes. */
export const owner = 'roomkeeper'

/** The name of new data that an upgrade has completed, until it replaces the old. */
export const upgradedName = 'postgres.upgraded'

/** The server's settings in addition to, or instead of, the usual ones, such as `{ fsync: 'off' }` for tests. */
export type Settings = Record<string, string>

/**
 * Finds the data of a data folder, or makes it. The caller must hold the start lock.
 * @param dataDir absolute, without symbolic links
 */
export async function ensureCluster(dataDir: string, binaries: Binaries, settings?: Settings): Promise<Cluster> {
  const folder = (await existingFolder(dataDir)) ?? (await createCluster(dataDir, binaries, settings))
  const identity = await ownerOf(folder)
  if (!(await mayUse(identity, folder))) {
    const user = `user id ${identity?.uid}`
    throw new Error(`PostgreSQL runs as ${user} and cannot enter ${folder}: let it enter, or set another DATA_DIR.`)
  }
  return { folder, dataDir, binaries, identity, connection: await openConnection(dataDir) }
}

async function existingFolder(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'postgres')
  if (!(await isThere(path))) {
    if (!(await isThere(join(dataDir, upgradedName)))) return null
    // An upgrade was killed between its last two steps.
    await rename(join(dataDir, upgradedName), path)
    await syncFolder(dataDir)
  }
  const folder = await realpath(path).catch(() => path)
  if (!(await isThere(join(folder, 'PG_VERSION'))))
    throw new Error(`${path} is not the data of a PostgreSQL, or cannot be entered.`)
  const file = fileOf(dataDir)
  if (!(await isThere(file))) throw new Error(`${file} is missing: it holds the password of ${path}.`)
  return folder
}

/** @param name its name in the data folder, which may be a link to another folder. @returns the folder */
export async function createCluster(
  dataDir: string,
  { initdb }: Binaries,
  settings: Settings = {},
  name = 'postgres',
): Promise<string> {
  const identity = postgresIdentity()
  const own = join(dataDir, name)
  const folder = (await mayUse(identity, dataDir)) ? own : await outsideFolder(dataDir)
  await removeUnfinished(folder)
  const unfinished = `${folder}.new-${process.pid}`
  const passwordFile = `${unfinished}.password`
  await mkdir(unfinished, { mode: 0o700 })
  // The password is kept before it is used: without it, the data could not be reached again.
  await writeFile(passwordFile, `${(await openConnection(dataDir)).password}\n`, { mode: 0o600 })
  if (identity !== null) for (const path of [unfinished, passwordFile]) await chown(path, identity.uid, identity.gid)
  const parameters = [
    ...['-D', unfinished, '-U', owner, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(settings.fsync === 'off' ? ['--no-sync'] : []),
  ]
  const { code, output } = await runProgram(initdb, parameters, { identity, cwd: dirname(folder) })
  if (code !== 0) await removeUnfinished(folder)
  if (code !== 0) throw new Error(`PostgreSQL could not make its data folder: ${fatalLine(output) ?? output.trim()}`)
  await rm(passwordFile)
  await rename(unfinished, folder)
  await syncFolder(dirname(folder))
  if (folder !== own) await symlink(folder, own)
  await syncFolder(dataDir)
  return folder
}

/** A new folder for the data if PostgreSQL cannot enter the data folder; never one that an earlier data folder left. */
async function outsideFolder(dataDir: string): Promise<string> {
  await mkdir(systemFolder, { recursive: true, mode: 0o755 })
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return unusedPath(join(systemFolder, name))
}

/** @returns the path, or the first of `path-2`, `path-3`, … that is not there */
export async function unusedPath(path: string, count = 1): Promise<string> {
  const name = count === 1 ? path : `${path}-${count}`
  return (await isThere(name)) ? unusedPath(path, count + 1) : name
}

/** Removes what starts left that were killed during initdb. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const entry of await readdir(dirname(folder)))
    if (entry.startsWith(`${basename(folder)}.new-`))
      await rm(join(dirname(folder), entry), { recursive: true, force: true })
}

/** The last line with an error in what a program of PostgreSQL says. */
export function fatalLine(output: string): string | undefined {
  return output.split('\n').findLast((line) => /error:|fatal:|panic:/i.test(line))
}

/** PostgreSQL cannot read the data of another major version. */
export async function checkVersion({ folder, binaries }: Cluster): Promise<void> {
  const [data, ours] = [await majorOfData(folder), await majorOfBinaries(binaries)]
  if (data === ours) return
  const advice =
    data < ours
      ? 'Run "npm run postgres:upgrade" first, see "A new PostgreSQL" in docs/operations.md.'
      : 'Start the newer version of Roomkeeper.'
  const versions = `that of PostgreSQL ${data}, and this version of Roomkeeper brings PostgreSQL ${ours}`
  throw new Error(`The data in ${folder} is ${versions}: nothing was changed. ${advice}`)
}

/** Such as 18. */
export async function majorOfData(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'PG_VERSION'), 'utf8'), 10)
}

const fileOf = (dataDir: string) => join(dataDir, 'postgres.json')

/** Reads `postgres.json`, or makes it with a new password and a free port. */
export async function openConnection(dataDir: string): Promise<Connection> {
  const path = fileOf(dataDir)
  if (!(await isThere(path))) {
    const made = { password: randomBytes(24).toString('base64url'), port: await listenBriefly() }
    await writeConnection(dataDir, made)
    return made
  }
  try {
    const { password, port } = new URL(JSON.parse(await readFile(path, 'utf8')).url)
    return { password, port: Number(port) }
  } catch {
    throw new Error(`${path} cannot be read: it holds the password of the database beside it.`)
  }
}

async function writeConnection(dataDir: string, connection: Connection): Promise<void> {
  await replaceFile(fileOf(dataDir), `${JSON.stringify({ url: urlOf(connection) }, null, 2)}\n`)
}

export function urlOf({ password, port }: Connection, database: string = owner): string {
  return `postgres://${owner}:${password}@127.0.0.1:${port}/${database}`
}

export async function usePort({ dataDir, connection }: Cluster, port: number): Promise<void> {
  if (port === connection.port) return
  connection.port = port
  await writeConnection(dataDir, connection)
}

/** Listens on a port of 127.0.0.1 for a moment. @param port default: one that is free. @returns the port */
export function listenBriefly(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

/** @throws what does not show that it is absent: `postgres.json` must never be made anew beside data. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )
}
