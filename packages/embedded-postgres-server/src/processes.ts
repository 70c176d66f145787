/**
 * Which processes belong to a data folder. PostgreSQL's processes work inside their data folder, so on Linux /proc
 * tells them apart from processes that were given their number later, and from zombies, which work nowhere. Only
 * processes of our own process namespace are seen.
 */
import { readdir, readFile, stat } from 'node:fs/promises'

/** Whether this process is PostgreSQL on that folder; elsewhere than on Linux: whether it is alive. */
export async function runsOn(folder: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  try {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8')
    if (name.trim() !== 'postgres') return false
    // Not by its path: another mount of the same folder has another one.
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return its.dev === ours.dev && its.ino === ours.ino
  } catch {
    return false
  }
}

/** All processes of PostgreSQL that run on that folder; none where /proc is missing. */
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
