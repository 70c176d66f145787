/** Records when and from where API tokens were used last, to the minute, beside the calls: none of them waits for it. */
import { type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import type { KnownToken } from './known-token.ts'

const everySeconds = 60
const retryMilliseconds = 2_000

export interface LastUses {
  note(token: Pick<KnownToken, 'id' | 'secondsSinceUse'>, address: string): void
  /** Writes what was noted. */
  close(): Promise<void>
}

interface Use {
  id: string
  from: string
  /** On the clock of `performance.now()`. */
  at: number
}

export function createLastUses(db: Db, log: Log): LastUses {
  const noted = new Map<string, Use>()
  const closing = new AbortController()
  let writing: Promise<void> | null = null

  const write = async () => {
    let mayGoOn = true
    while (noted.size > 0 && mayGoOn) {
      try {
        for (const use of noted.values()) {
          await writeUse(db, use)
          noted.delete(use.id)
        }
      } catch (error) {
        // The uses stay noted, so that none is lost while the database is away.
        log.warn({ err: error }, 'the last use of an API token could not be recorded yet')
        mayGoOn = !closing.signal.aborted
        await pause(retryMilliseconds, closing.signal)
      }
    }
    writing = null
  }
  return {
    note({ id, secondsSinceUse }, address) {
      if (noted.has(id) || (secondsSinceUse !== null && secondsSinceUse < everySeconds)) return
      noted.set(id, { id, from: address, at: performance.now() })
      writing ??= write()
    },
    async close() {
      closing.abort()
      await writing
    },
  }
}

/** Another process may have recorded a later one. */
async function writeUse(db: Db, { id, from, at }: Use): Promise<void> {
  await queryRows(
    db,
    `update api_tokens set last_used_at = now() - make_interval(secs => $3), last_used_from = $2
      where id = $1 and (last_used_at is null or last_used_at < now() - make_interval(secs => $3))`,
    [id, from, (performance.now() - at) / 1000],
  )
}
