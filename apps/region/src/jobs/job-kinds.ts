/** All kinds of jobs. */
import { backupRoom } from '#archives/backup-room.ts'
import { restoreRoom } from '#archives/restore-room.ts'
import { backupDatabase, deleteDatabase, importDatabase, restoreDatabase } from '#databases/database-jobs.ts'
import type { FileStore } from '#files/file-store.ts'
import { backupToObjectStore } from '#object-store/backup-to-object-store.ts'
import { replaceRoom, restoreFromObjectStore } from '#object-store/restore-from-object-store.ts'
import { verifyBackup } from '#object-store/verify-backup.ts'
import { deleteRoom } from '#rooms/delete-room.ts'
import { digestRoom } from '#rooms/digest-room.ts'
import { purgeRoom } from '#rooms/purge-room.ts'
import { putBackRoom } from '#rooms/put-back-room.ts'
import { updateSystemDatabase } from '#rooms/update-system-database.ts'
import type { JobKinds } from './job-kind.ts'

export function createJobKinds(files: FileStore): JobKinds {
  return {
    backupRoom: backupRoom(files),
    restoreRoom: restoreRoom(files),
    deleteRoom,
    purgeRoom: purgeRoom(files),
    backupDatabase: backupDatabase(files),
    restoreDatabase: restoreDatabase(files),
    importDatabase: importDatabase(files),
    deleteDatabase,
    updateSystemDatabase,
    replaceRoom: replaceRoom(files),
    putBackRoom,
    backupToObjectStore,
    restoreFromObjectStore,
    verifyBackup: verifyBackup(files),
    digestRoom,
  }
}
