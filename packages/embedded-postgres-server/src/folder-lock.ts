/**
 * PostgreSQL may run on a data folder only for the holder of the kernel's lock (flock) on the file `<application>.lock`
 * in it. The postmaster itself holds it, and all processes that it starts, because they inherit the open file: it
 * outlives a killed program, it is gone when the last of them is, and it counts for every container and mount that
 * reaches the folder. Numbers of processes say nothing there. The file is never replaced, because the lock is on the
 * file itself.
 */
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { type Application, failure } from './application.ts'
import { runProgram } from './run-program.ts'

export interface Command {
  program: string
  parameters: string[]
}

/** What a command of `underLock` ends with when another process holds the lock. */
export const lockedOutCode = 98

export interface LockedFolder {
  /** With the data. */
  folder: string
  application: Application
}

/**
 * The command that takes the lock of the folder and becomes the program, or ends at once with `lockedOutCode`.
 * Elsewhere than on Linux there is nothing to take it with, but no other process namespaces either: PostgreSQL's own
 * postmaster.pid is enough there.
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

/** `flock` of util-linux, which nearly every Linux has. That of BusyBox cannot tell us that the lock was taken. */
async function findFlock(application: Application): Promise<{ path: string; canBecome: boolean }> {
  const folders = ['/usr/bin', '/bin', ...(process.env.PATH ?? '').split(':').filter((each) => each.startsWith('/'))]
  for (const folder of new Set(folders)) {
    const path = join(folder, 'flock')
    if (!(await isRunnable(path))) continue
    const { output } = await runProgram(path, ['--help'], { identity: null, cwd: '/' })
    // Without --no-fork (before 2.34) a process of its own stays beside PostgreSQL; the lock is the same.
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
