import type { Database } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { scheduleBackups } from './schedule-backups.ts'

const checkMilliseconds = 60_000

/** Looks every minute which backups are due. @returns a function that ends this */
export function startScheduling(database: Database, log: Log): () => void {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    await scheduleBackups(database, new Date())
      .catch((error: unknown) => log.warn({ err: error }, 'scheduling backups failed'))
      .finally(() => {
        isLooking = false
      })
  }
  void look()
  const timer = setInterval(() => void look(), checkMilliseconds)
  return () => clearInterval(timer)
}
