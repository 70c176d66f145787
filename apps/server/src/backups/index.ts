/**
 * Backups of rooms and databases: what there is, where it lies, what it holds, who may download it. They belong to a
 * room's id and outlive it by 30 days; those of a room that went with its region, until they are removed. Start at
 * backup-routes.ts; operations record what they made with record-backup.ts.
 */
export { storedFile } from './archive/byte-source.ts'
export { inspectBackup } from './archive/inspect-backup.ts'
export { backupHandlers } from './backup-routes.ts'
export { countBackups } from './find-backup.ts'
export { type BackupFile, digestOfBackup, sizeOfBackup } from './look-at-backup.ts'
export { createObjectStore, type ObjectStore } from './object-store.ts'
export {
  expireBackupsOfRoom,
  forgetDatabaseBackup,
  forgetRoomBackup,
  keepBackupsOfRoom,
  newestDatabaseBackup,
  newestDatabaseBackups,
  recordDatabaseBackup,
  recordRoomBackup,
} from './record-backup.ts'
export { type BackupStores, removeUnfinishedBackups, tidyBackups } from './remove-backup.ts'
export { keepBackupsOfRegion } from './removed-rooms.ts'
export type { BackupTables } from './tables.ts'
