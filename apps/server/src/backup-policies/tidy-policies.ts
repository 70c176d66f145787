/** What housekeeping does for backup policies every minute; the retention of backups comes last. */
import type { BackupStores } from '#backups/index.ts'
import type { Database } from '#platform/database.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { removeScheduledOperations } from './old-operations.ts'
import { reapplyRetention } from './reapply-retention.ts'
import { removeDeletedPolicies } from './remove-old-runs.ts'
import { tidyScheduledBackups } from './tidy-scheduled-backups.ts'

/** Each part has as long for itself, and goes on with the next round. */
const milliseconds = 30_000

export async function tidyPolicies(database: Database, stores: BackupStores): Promise<void> {
  const { db } = database
  const parts = [
    (until: number) => removeDeletedPolicies(db, until),
    (until: number) => removeScheduledOperations(db, until),
    (until: number) => reapplyRetention(database, until),
    (until: number) => tidyScheduledBackups(db, stores, until),
  ]
  await forEachCollectingErrors(parts, (part) => part(performance.now() + milliseconds))
}
