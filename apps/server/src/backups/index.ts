/**
 * Backups of rooms and databases: which exist, where they are stored, what they contain, who may download them. A
 * backup belongs to a room's id and outlives the room by 30 days, or KEEP_DELETED_DAYS. The backups of a room that was
 * removed with its region stay until an operator deletes them. Start at backup-routes.ts; operations record new backups
 * with record-backup.ts.
 */
export { compareFiles, inspectBackup, storedFile } from './archive/inspect-backup.ts'
export { createPassedFiles } from './archive/passed-files.ts'
export { backupHandlers } from './backup-routes.ts'
export {
  lockForReading,
  lockUnread,
  refuseWhileAnyIsRead,
  whileReading,
  whileRemoving,
} from './backup-uses.ts'
export {
  countBackups,
  findBackup,
  findRecordedAt,
  findRecordedBackup,
  newestGoodBackup,
  newestRestoredBackup,
  type RoomBackupRow,
  roomBackupColumns,
} from './find-backup.ts'
export { createObjectStore, type ObjectStore } from './object-store.ts'
export { type BackupFile, digestOfBackup, sizeOfBackup } from './read-backup-file.ts'
export {
  expireBackupsOfRoom,
  forgetDatabaseBackup,
  forgetRoomBackup,
  forgetRoomBackupsAt,
  hasDamagedIndexes,
  isKnownBad,
  newestDatabaseBackup,
  newestDatabaseBackups,
  recordDatabaseBackup,
  recordRestored,
  recordRoomBackup,
  retainBackupsOfRoom,
} from './record-backup.ts'
export {
  type BackupStores,
  removeBackupFile,
  removeUnfinishedBackups,
  removeUnlessRead,
  tidyBackups,
} from './remove-backup.ts'
export { rememberRoomsOfRegion, takeFromRemoved } from './removed-rooms.ts'
