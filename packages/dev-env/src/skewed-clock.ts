/** Wrong clocks: processes whose date differs from that of the others. Needs Debian's libfaketime. */
import { existsSync } from 'node:fs'

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`

/**
 * @param seconds how far the clock is ahead; less than 0: behind
 * @returns the environment of such a process; empty where the library is not installed. Measured durations stay right.
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
