import { pause } from './pause.ts'

/** Waits for the work, but no longer than this. @returns whether it has ended */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController()
  try {
    return await Promise.race([work.then(() => true), pause(milliseconds, ended.signal).then(() => false)])
  } finally {
    ended.abort()
  }
}
