/** Starts processes with a wrong clock, a fast one, or one that is set while they run. Needs Debian's libfaketime. */
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`

/**
 * @param seconds how far the clock is ahead; negative: behind
 * @returns the environment for such a process, in which measured durations stay right; empty without the library
 */
export function skewedClock(seconds: number): Record<string, string> {
  if (!existsSync(library)) return {}
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}

/**
 * @param times how much faster than ours it runs, also for time limits
 * @returns the environment for such a process; null without the library
 */
export function fastClock(times: number): Record<string, string> | null {
  return existsSync(library) ? { LD_PRELOAD: library, FAKETIME: `+0 x${times}`, NO_FAKE_STAT: '1' } : null
}

/** A clock that can be set while processes go by it. They notice within a second. */
export interface SettableClock {
  /** The environment of such a process. */
  env: Record<string, string>
  /** @param seconds how far it is ahead from now on; negative: behind */
  set(seconds: number): Promise<void>
  remove(): Promise<void>
}

/** @returns null without the library */
export async function settableClock(seconds = 0): Promise<SettableClock | null> {
  if (!existsSync(library)) return null
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-clock-'))
  // PostgreSQL reads it as another user.
  await chmod(folder, 0o755)
  const file = join(folder, 'offset')
  const { FAKETIME: _, ...env } = skewedClock(0)
  const write = async (ahead: number) => {
    // An empty file would be a right clock.
    await writeFile(`${file}.new`, `${ahead < 0 ? '' : '+'}${ahead}\n`, { mode: 0o644 })
    await rename(`${file}.new`, file)
    await removeLeftovers()
  }
  let written = Promise.resolve()
  const clock: SettableClock = {
    // libfaketime compares whole seconds: with 1, a process would notice after up to two of them.
    env: { ...env, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '0' },
    // One after the other, so that the last call decides.
    set: (ahead) => (written = written.then(() => write(ahead))),
    async remove() {
      await rm(folder, { recursive: true, force: true })
      await removeLeftovers()
    },
  }
  await clock.set(seconds)
  return clock
}

/**
 * What libfaketime leaves in memory for each process that is killed: a later process with the same id, as another user,
 * would not start.
 */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir('/dev/shm')) {
    const [, pid] = /faketime_(?:sem|shm)_(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await rm(join('/dev/shm', name), { force: true })
  }
}
