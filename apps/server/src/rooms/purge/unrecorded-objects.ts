/** Objects that regions have written for operations that failed: nothing but the operations' records knows their keys. */
import { sizeOfBackup } from '#backups/index.ts'
import { queryRows } from '#platform/database.ts'
import { keysUntilAttempt } from '../steps/backup-keys.ts'
import type { FileOfRoom } from './file-of-room.ts'
import type { PurgeCall } from './purge-call.ts'

/** @throws Refusal `object-store-not-set`, `object-store-refused`, `object-store-unreachable`: then nobody knows */
export async function unrecordedObjects({ services, input: { roomId } }: PurgeCall): Promise<FileOfRoom[]> {
  const found: FileOfRoom[] = []
  for (const { key, attempt } of await queryRows<{ key: string; attempt: number }>(services.db, written, [roomId]))
    for (const each of keysUntilAttempt(key, attempt)) {
      const { bucket, key: path } = services.objectStore.configuredLocation(each)
      const location = `s3://${bucket}/${path}`
      const size = await sizeOfBackup(services, { kind: 'd2o', location })
      if (size !== null) found.push({ kind: 'object', location, size, sha256: null })
    }
  return found
}

/** Also of those that were done: what they wrote may have been forgotten, and be there again. */
const written = `
  select input ->> 'key' as key, attempt from operations
   where room_id = $1 and kind in ('room.backup-d2o', 'room.backup-scheduled-d2o')
     and (state <> 'done' or attempt > 1)`
