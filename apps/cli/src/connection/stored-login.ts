/**
 * Where the command line keeps its logins: a server and an API token for each profile, in a file that only its user can
 * read. One profile is the current one.
 */
import { chmod, mkdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closestTo } from '@roomkeeper/contract'
import { makeFolder, removeUnfinished, replaceFile } from '@roomkeeper/durable-file'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { type Failure, usageFailure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'

export const tokenShape = /^[\w-]{20,200}$/

const login = z.object({ url: z.url(), token: z.string().regex(tokenShape) })
export type Login = z.output<typeof login>

const storedLogins = z.object({ current: z.string().nullable(), profiles: z.record(z.string(), login) })
type StoredLogins = z.output<typeof storedLogins>

/** The name of the first login, unless it gives one. */
const defaultProfile = 'default'
const nothingStored: StoredLogins = { current: null, profiles: {} }

/** A parser of an option or argument that names a profile. */
export function profileName(given: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(given)) return given
  throw new InvalidArgumentError(
    'A profile begins with a letter or digit, and has up to 64 letters, digits, dots, hyphens and underscores.',
  )
}

/** @throws Failure */
export async function readLogins(terminal: Terminal): Promise<StoredLogins> {
  const path = loginPath(terminal)
  const content = await contentOf(path).catch((error: Error) => {
    throw usageFailure(`${path} cannot be read: ${error.message}`)
  })
  if (content === null) return nothingStored
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) terminal.say(`Others can read your token: chmod 600 ${path}`, 'yellow')
  const logins = parsed(content)
  if (logins !== null) return logins
  throw usageFailure(`${path} is not what 'roomkeeper login' writes.`, "Remove it, then run 'roomkeeper login'.")
}

/** @param profile absent: the current one @returns null if the user has not signed in @throws Failure */
export function loginOf(logins: StoredLogins, profile?: string): Login | null {
  const name = profile ?? logins.current
  if (name !== null) return loginIn(logins, name)
  if (Object.keys(logins.profiles).length === 0) return null
  throw noCurrentProfile(logins)
}

/**
 * Under which name a login is stored: the given one, else that of the current profile.
 * @returns also what is stored there now @throws Failure
 */
export async function loginTarget(
  terminal: Terminal,
  profile?: string,
): Promise<{ name: string; stored: Login | null }> {
  const logins = await readLogins(terminal)
  const isFirst = Object.keys(logins.profiles).length === 0
  const name = profile ?? logins.current ?? (isFirst ? defaultProfile : null)
  if (name === null) throw noCurrentProfile(logins)
  return { name, stored: Object.hasOwn(logins.profiles, name) ? loginIn(logins, name) : null }
}

/** The first login becomes the current one. @returns where it is @throws Failure */
export async function storeLogin(
  terminal: Terminal,
  name: string,
  given: Login,
): Promise<{ path: string; isCurrent: boolean }> {
  const path = loginPath(terminal)
  try {
    await makeFolder(dirname(path), 0o700)
    await chmod(dirname(path), 0o700)
  } catch (error) {
    throw notStored(path, error)
  }
  return whileLocked(path, async () => {
    const { current, profiles } = await readLogins(terminal)
    const next = current ?? (Object.keys(profiles).length === 0 ? name : null)
    await writeLogins(path, { current: next, profiles: { ...profiles, [name]: given } }).catch((error: unknown) => {
      throw notStored(path, error)
    })
    return { path, isCurrent: next === name }
  })
}

function notStored(path: string, error: unknown): Failure {
  return usageFailure(`The login cannot be stored in ${path}: ${messageOf(error)}`)
}

/** @throws Failure */
export async function useProfile(terminal: Terminal, name: string): Promise<void> {
  const path = loginPath(terminal)
  await whileLocked(path, async () => {
    const logins = await readLogins(terminal)
    loginIn(logins, name)
    await writeLogins(path, { ...logins, current: name }).catch((error: unknown) => {
      throw usageFailure(`${path} cannot be written: ${messageOf(error)}`)
    })
  })
}

/** @param profile absent: the current one @throws Failure */
export async function removeLogin(terminal: Terminal, profile?: string): Promise<void> {
  const path = loginPath(terminal)
  const cannotBeRemoved = (error: unknown) =>
    usageFailure(`The login in ${path} cannot be removed: ${messageOf(error)}`)
  await whileLocked(path, async () => {
    const content = await contentOf(path).catch((error: unknown) => {
      throw cannotBeRemoved(error)
    })
    const logins = parsed(content ?? '') ?? nothingStored
    const { current, profiles } = logins
    const name = profile ?? current
    if (profile !== undefined) loginIn(logins, profile)
    if (name === null && Object.keys(profiles).length > 0) throw noCurrentProfile(logins)
    const left = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name))
    try {
      if (Object.keys(left).length > 0)
        return await writeLogins(path, { current: current === name ? null : current, profiles: left })
      await rm(path, { force: true })
      await removeUnfinished(path)
    } catch (error) {
      throw cannotBeRemoved(error)
    }
  })
}

const lockedMilliseconds = 10_000

/** Two calls that change the file at once would lose what one of them stores. A call that was killed holds the lock for 10 s. */
async function whileLocked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.lock`
  for (;;) {
    try {
      await mkdir(lock)
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Without the folder, there is no login to lose.
      if (code === 'ENOENT' || code === 'ENOTDIR') return work()
      if (code !== 'EEXIST') throw usageFailure(`${path} cannot be changed: ${messageOf(error)}`)
    }
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    await sleep(20)
    if (age > lockedMilliseconds)
      await rmdir(lock).catch((error: NodeJS.ErrnoException) => {
        // Another call was faster.
        if (error.code !== 'ENOENT') throw usageFailure(`${lock} cannot be removed: ${messageOf(error)}`)
      })
  }
  try {
    return await work()
  } finally {
    await rmdir(lock).catch(() => undefined)
  }
}

function loginPath({ env: { XDG_CONFIG_HOME: given, HOME: home = homedir() } }: Terminal): string {
  // The specification of XDG_CONFIG_HOME ignores relative paths.
  const base = given !== undefined && isAbsolute(given) ? given : join(home, '.config')
  return join(base, 'roomkeeper', 'config.json')
}

/** @returns null: there is no such file */
function contentOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}

async function writeLogins(path: string, logins: StoredLogins): Promise<void> {
  // What a call that was killed has left holds tokens, too.
  await removeUnfinished(path)
  await replaceFile(path, `${JSON.stringify(logins, null, 2)}\n`, 0o600)
}

/** @throws Failure that names the known ones */
function loginIn({ profiles }: StoredLogins, name: string): Login {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const known = Object.keys(profiles)
  const meant = closestTo(name, known)
  throw usageFailure(
    `There is no profile ${name}.${meant === null ? '' : ` Is it ${meant}?`}`,
    known.length === 0 ? `None is stored: 'roomkeeper login --profile ${name}'.` : `Profiles: ${known.join(', ')}.`,
  )
}

function noCurrentProfile({ profiles }: StoredLogins): Failure {
  return usageFailure(
    'No profile is the current one.',
    `Profiles: ${Object.keys(profiles).join(', ')}.`,
    "Give --profile, or choose one with 'roomkeeper profiles use'.",
  )
}

function parsed(text: string): StoredLogins | null {
  try {
    return storedLogins.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
