/**
 * What is kept of calls that were refused although their token is known, because somebody may have stolen it: the number
 * of them and the last one with the token, and entries in the audit trail, of which nobody can cause many. Each record
 * waits for the row of its token, which may take long where commits are slow. So a process makes one at a time, on one
 * connection, and counts what comes meanwhile in its memory.
 */
import type { Database } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause, withTimeout } from '#platform/pause.ts'
import { callsOf, joinCalls, type RefusedCall, type RefusedCalls, recordRefusals } from './record-refusals.ts'

const longestWaitMilliseconds = 2_000
const retryMilliseconds = 2_000

export interface RefusalRecords {
  /** Ends when the call is recorded, or soon without: it is then recorded as soon as the database takes it. */
  record(refused: Omit<RefusedCall, 'at'>): Promise<void>
  /** Records what is left. */
  close(): Promise<void>
}

interface Unrecorded {
  calls: RefusedCalls
  /** Resolves when they are recorded, or could not be yet. */
  tried: PromiseWithResolvers<void>
}

export function createRefusalRecords(database: Database, log: Log): RefusalRecords {
  /** By token. */
  const unrecorded = new Map<string, Unrecorded>()
  const closing = new AbortController()
  let writing: Promise<void> | null = null

  const putBack = (id: string, { calls }: Unrecorded) => {
    const since = unrecorded.get(id)
    if (since !== undefined) since.calls = joinCalls(calls, since.calls)
    else unrecorded.set(id, { calls, tried: Promise.withResolvers() })
  }
  const write = async () => {
    let mayGoOn = true
    while (mayGoOn) {
      const [next] = unrecorded
      if (next === undefined) break
      const [id, mine] = next
      unrecorded.delete(id)
      try {
        await database.transaction((tx) => recordRefusals(tx, mine.calls))
        mine.tried.resolve()
      } catch (error) {
        putBack(id, mine)
        mine.tried.resolve()
        log.warn({ err: error }, 'refused calls with an API token could not be recorded yet')
        mayGoOn = !closing.signal.aborted
        await pause(retryMilliseconds, closing.signal)
      }
    }
    writing = null
  }
  const note = (refused: RefusedCall): Promise<void> => {
    const id = refused.token.id
    const before = unrecorded.get(id)
    const noted = before ?? { calls: callsOf(refused), tried: Promise.withResolvers<void>() }
    if (before === undefined) unrecorded.set(id, noted)
    else before.calls = joinCalls(before.calls, callsOf(refused))
    writing ??= write()
    return noted.tried.promise
  }
  return {
    async record(refused) {
      await withTimeout(longestWaitMilliseconds, note({ ...refused, at: performance.now() }))
    },
    async close() {
      closing.abort()
      await writing
    },
  }
}
