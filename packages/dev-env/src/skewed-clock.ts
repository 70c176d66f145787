/** Starts processes with a wrong clock, or a fast one. Needs Debian's libfaketime. */
import { existsSync } from 'node:fs'

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
