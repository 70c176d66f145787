/**
 * PostgreSQL runs on a folder only while it holds the kernel's lock (flock) on the file `<application>.lock` in it. The
 * postmaster and all processes that it starts hold the lock, because they inherit the open file. So the lock outlives a
 * killed program, ends with the last of these processes, and applies to every container and mount that reaches the
 * folder, where process ids mean nothing. The file is never replaced, because the lock is on the file itself.
 */
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { type Application, failure } from './application.ts'
import { runProgram } from './run-program.ts'

export interface Command {
  program: string
  parameters: string[]
}

/** The exit code of an `underLock` command if another process holds the lock. */
export const lockedOutCode = 98

export interface LockedFolder {
  /** The folder with the data. */
  folder: string
  application: Application
}

/**
 * The command that takes the folder's lock and becomes the program, or ends at once with `lockedOutCode`. Other systems
 * than Linux have no `flock` program, but no process namespaces either: there, PostgreSQL's postmaster.pid is enough.
 * @throws {EmbeddedPostgresError} no-flock
 */
export async function underLock(
  { folder, application }: LockedFolder,
  { program, parameters }: Command,
): Promise<Command> {
  if (process.platform !== 'linux') return { program, parameters }
  const { path, canBecome } = await findFlock(application)
  const wait = ['--nonblock', '--conflict-exit-code', String(lockedOutCode), ...(canBecome ? ['--no-fork'] : [])]
  return { program: path, parameters: [...wait, join(folder, `${application.name}.lock`), program, ...parameters] }
}

/** util-linux's `flock`, which nearly every Linux has. BusyBox's cannot report that the lock was already taken. */
async function findFlock(application: Application): Promise<{ path: string; canBecome: boolean }> {
  const folders = ['/usr/bin', '/bin', ...(process.env.PATH ?? '').split(':').filter((each) => each.startsWith('/'))]
  for (const folder of new Set(folders)) {
    const path = join(folder, 'flock')
    if (!(await isRunnable(path))) continue
    const { output } = await runProgram(path, ['--help'], { identity: null, cwd: '/' })
    // Before 2.34 there is no --no-fork: flock then stays as PostgreSQL's parent, but the lock works the same.
    if (output.includes('--conflict-exit-code')) return { path, canBecome: output.includes('--no-fork') }
  }
  throw failure(application, 'no-flock', 'The embedded PostgreSQL needs the program flock: ', 'install util-linux.')
}

function isRunnable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
