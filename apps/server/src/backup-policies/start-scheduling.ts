import { databaseTime } from '#platform/database-time.ts'
import type { Log } from '#platform/log.ts'
import type { Scheduler } from './free-slots.ts'
import { scheduleBackups } from './schedule-backups.ts'

/** So soon the next backup is begun where a region has got a slot for it. */
const checkMilliseconds = 5_000

/** Looks again and again which backups are due. @returns a function that ends this */
export function startScheduling(scheduler: Scheduler, { log, mayWork }: { log: Log; mayWork(): boolean }): () => void {
  let isLooking = false
  const look = async () => {
    if (isLooking || !mayWork()) return
    isLooking = true
    await databaseTime(scheduler.database.db)
      .then((now) => scheduleBackups(scheduler, now))
      .catch((error: unknown) => log.warn({ err: error }, 'scheduling backups failed'))
      .finally(() => {
        isLooking = false
      })
  }
  void look()
  const timer = setInterval(() => void look(), checkMilliseconds)
  return () => clearInterval(timer)
}
