/**
 * Project rooms: list, export, create, edit, suspend, resume, back up, restore and delete them, and manage their
 * databases. The stored state of a room is IN_PROGRESS, DEFAULT, SUSPENDED, ERROR or MARKED_FOR_DELETION. The
 * *-routes.ts files hold the calls. Work that takes time runs as an operation, defined in lifecycle/operations/
 * and databases/.
 */
import type { ConnectRegion } from '#regions/index.ts'
import { activityHandlers } from './activity/activity-routes.ts'
import { roomCustomerHandlers } from './customers/customer-routes.ts'
import { backupDatabase } from './databases/backup-database.ts'
import { databaseHandlers } from './databases/database-routes.ts'
import { deleteDatabase } from './databases/delete-database.ts'
import { importDatabase } from './databases/import-database.ts'
import { restoreDatabase } from './databases/restore-database.ts'
import { deletedRoomHandlers } from './deleted/deleted-room-routes.ts'
import { tidyDeletedRooms } from './deleted/deleted-rooms.ts'
import { restoreDeletedRoom } from './deleted/restore-deleted-room.ts'
import { roomDetailHandlers } from './detail-routes.ts'
import { remindOfExpiry } from './expiry/remind-of-expiry.ts'
import { labelHandlers } from './labels/label-routes.ts'
import { type BackupParts, roomBackupHandlers } from './lifecycle/backup-routes.ts'
import { roomChangeHandlers } from './lifecycle/change-routes.ts'
import { roomCreationHandlers } from './lifecycle/creation-routes.ts'
import { backupRoom, backupRunningRoom } from './lifecycle/operations/backup-room.ts'
import {
  backupRoomToObjectStore,
  backupRunningRoomToObjectStore,
} from './lifecycle/operations/backup-room-to-object-store.ts'
import { createRoom } from './lifecycle/operations/create-room.ts'
import { deleteRoom } from './lifecycle/operations/delete-room.ts'
import { editRoom } from './lifecycle/operations/edit-room.ts'
import { createRoomFromBackup, importRoom, restoreNewRoom } from './lifecycle/operations/import-room.ts'
import { notifyContacts } from './lifecycle/operations/notify-contacts.ts'
import { restoreRoom } from './lifecycle/operations/restore-room.ts'
import { restoreRoomFromObjectStore } from './lifecycle/operations/restore-room-from-object-store.ts'
import { resumeRoom } from './lifecycle/operations/resume-room.ts'
import { suspendRoom } from './lifecycle/operations/suspend-room.ts'
import { updateSystemDatabase } from './lifecycle/operations/update-system-database.ts'
import { roomListHandlers } from './list/list-routes.ts'
import { roomNoteHandlers } from './notes/note-routes.ts'
import { purgeRoom } from './purge/purge-room.ts'
import type { RoomCore } from './start-for-room.ts'

export { changeState } from './change-state.ts'
export { refuseWhilePurged, takeFromDeleted, whyNotAdopt } from './deleted/deleted-rooms.ts'
export { stillExpires } from './expiry/remind-of-expiry.ts'
export { startReminders } from './expiry/start-reminders.ts'
export { setLabels } from './labels/set-labels.ts'
export { startScheduledBackup } from './lifecycle/backup-routes.ts'
export { isMovable, listMovableRooms } from './list/movable-rooms.ts'
export { addTotals, countWithoutBackup, sumsOfRooms, sumsOfTotals, type TotalsRow } from './list/totals.ts'
export { failureCauseSql, type Matches, matchingRooms } from './list/where.ts'
export { hasPinnedNoteSql, pinnedNoteParts } from './notes/pinned-notes.ts'
export {
  type ConsoleColumns,
  consoleColumns,
  openRecord,
  type WhyNoRecord,
} from './records/console-record.ts'
export { startSendingRecords } from './records/send-records.ts'
export { startPartOfUpdate, startRoomChange } from './room-changes.ts'
export type { StartingCall } from './start-for-room.ts'
export { filesOfTest } from './steps/backup-keys.ts'
export { storedSource } from './steps/files-of-regions.ts'
export { unchangedRoom } from './steps/outcomes.ts'
export {
  creationOf,
  findRoomOfSteps,
  type LockedRoom,
  lockRoom,
  type RegionColumns,
  type RoomErrorCode,
  type RoomState,
  type StoredRoom,
  settingsOf,
} from './stored-room.ts'
export { tidyDeletedRooms }

export const roomOperations = [
  createRoom,
  importRoom,
  createRoomFromBackup,
  editRoom,
  suspendRoom,
  resumeRoom,
  backupRoom,
  backupRunningRoom,
  backupRoomToObjectStore,
  backupRunningRoomToObjectStore,
  restoreRoom,
  restoreNewRoom,
  restoreRoomFromObjectStore,
  deleteRoom,
  restoreDeletedRoom,
  purgeRoom,
  notifyContacts,
  remindOfExpiry,
  deleteDatabase,
  backupDatabase,
  restoreDatabase,
  importDatabase,
  updateSystemDatabase,
] as const

type HandlerParts = RoomCore &
  BackupParts & { connectRegion: ConnectRegion; regionWaitSeconds: number; keepDeletedDays: number }

export function roomHandlers(parts: HandlerParts) {
  return {
    ...roomListHandlers(parts.database),
    ...roomCustomerHandlers(parts.database),
    ...labelHandlers(parts.database),
    ...roomNoteHandlers(parts.database),
    ...deletedRoomHandlers(parts, parts.keepDeletedDays),
    ...roomDetailHandlers(parts.database, parts.connectRegion),
    ...roomCreationHandlers(parts),
    ...roomChangeHandlers(parts, parts.regionWaitSeconds),
    ...activityHandlers(parts, parts.regionWaitSeconds),
    ...roomBackupHandlers(parts, parts),
    ...databaseHandlers(parts, parts),
  }
}
