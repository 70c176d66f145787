/** What housekeeping does for backup policies every minute; the retention of backups comes last. */
import type { BackupStores } from '#backups/index.ts'
import type { Database } from '#platform/database.ts'
import { forEach } from '#platform/for-each.ts'
import { removeScheduledOperations } from './old-operations.ts'
import { removeDeletedPolicies } from './remove-old-runs.ts'
import { tidyAnew } from './tidy-anew.ts'
import { tidyScheduledBackups } from './tidy-scheduled-backups.ts'

/** Each part has as long for itself, and goes on with the next round. */
const milliseconds = 30_000

export async function tidyPolicies(database: Database, stores: BackupStores): Promise<void> {
  const { db } = database
  const parts = [
    (until: number) => removeDeletedPolicies(db, until),
    (until: number) => removeScheduledOperations(db, until),
    (until: number) => tidyAnew(database, until),
    (until: number) => tidyScheduledBackups(db, stores, until),
  ]
  await forEach(parts, (part) => part(performance.now() + milliseconds))
}
