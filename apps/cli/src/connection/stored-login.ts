/** Where the command line keeps its login: one server and one API token, in a file that only its user can read. */
import { chmod, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { makeFolder, removeUnfinished, replaceFile } from '@roomkeeper/durable-file'
import { z } from 'zod'
import { usageFailure } from '#failure.ts'
import { say } from '#terminal/say.ts'

const storedLogin = z.object({ url: z.string(), token: z.string() })
export type Login = z.output<typeof storedLogin>

export function loginPath(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: given } = env
  // The specification of XDG_CONFIG_HOME ignores relative paths.
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.config')
  return join(base, 'roomkeeper', 'config.json')
}

/** @returns null if the user has not signed in */
export async function readLogin(): Promise<Login | null> {
  const path = loginPath()
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw usageFailure(`${path} cannot be read: ${error.message}`)
  })
  if (content === null) return null
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) say(`Others can read your token: chmod 600 ${path}`, 'yellow')
  const read = storedLogin.safeParse(parsed(content))
  if (read.success) return read.data
  throw usageFailure(`${path} is not what 'roomkeeper login' writes.`, "Run 'roomkeeper login' again.")
}

/** @returns where it is @throws Failure */
export async function storeLogin(login: Login): Promise<string> {
  const path = loginPath()
  try {
    await makeFolder(dirname(path), 0o700)
    await chmod(dirname(path), 0o700)
    // They hold tokens, too.
    await removeUnfinished(path)
    await replaceFile(path, `${JSON.stringify(login, null, 2)}\n`, 0o600)
  } catch (error) {
    throw usageFailure(`The login cannot be stored in ${path}: ${whyOf(error)}`)
  }
  return path
}

/** @throws Failure */
export async function removeLogin(): Promise<void> {
  const path = loginPath()
  try {
    await rm(path, { force: true })
    await removeUnfinished(path)
  } catch (error) {
    throw usageFailure(`The login in ${path} cannot be removed: ${whyOf(error)}`)
  }
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
