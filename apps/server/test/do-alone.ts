import type { Database } from '#platform/database.ts'
import { createWorkLocks } from '#platform/work-locks.ts'

/** Does recurring work as the server does it: one process at a time. */
export async function doAlone(
  database: Database,
  name: string,
  work: (lost: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const locks = createWorkLocks(database)
  try {
    await locks.runIfFree(name, { milliseconds: 600_000, onPassed: () => undefined }, work)
  } finally {
    locks.close()
  }
}
