/**
 * Finds the processes of a folder with data. PostgreSQL's processes have that folder as their working directory, so on
 * Linux /proc tells them from processes that got the same id later, and from zombies, which have no working directory.
 * Only processes of our own process namespace are visible.
 */
import { readdir, readFile, stat } from 'node:fs/promises'

/** Whether this process is PostgreSQL on that folder. On other systems than Linux: whether it is alive. */
export async function runsOn(folder: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  try {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8')
    if (name.trim() !== 'postgres') return false
    // Compare inodes, not paths: the same folder may be mounted under another path.
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return its.dev === ours.dev && its.ino === ours.ino
  } catch {
    return false
  }
}

/** All processes of PostgreSQL that run on that folder; none on systems other than Linux. */
export async function processesOn(folder: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number)
  const checked = await Promise.all(pids.map(async (pid) => ((await runsOn(folder, pid)) ? pid : null)))
  return process.platform === 'linux' ? checked.filter((pid) => pid !== null) : []
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
