/**
 * Project rooms: listed, exported, created, edited, suspended, backed up, restored, deleted, and their databases.
 * A room is IN_PROGRESS, DEFAULT, SUSPENDED, ERROR or MARKED_FOR_DELETION. The calls are in the *-routes.ts files;
 * what takes time is an operation, in lifecycle/operations/, databases/ and system-databases/.
 */
import type { ConnectRegion } from '#regions/index.ts'
import { backupDatabase, backupDatabaseBefore } from './databases/backup-database.ts'
import { databaseHandlers } from './databases/database-routes.ts'
import { deleteDatabase } from './databases/delete-database.ts'
import { importDatabase } from './databases/import-database.ts'
import { restoreDatabase } from './databases/restore-database.ts'
import { roomDetailHandlers } from './detail-routes.ts'
import type { BackupParts } from './lifecycle/backup-routes.ts'
import { roomBackupHandlers } from './lifecycle/backup-routes.ts'
import { roomChangeHandlers } from './lifecycle/change-routes.ts'
import { roomCreationHandlers } from './lifecycle/creation-routes.ts'
import { backupRoom, backupRoomBefore } from './lifecycle/operations/backup-room.ts'
import {
  backupRoomToObjectStore,
  backupRoomToObjectStoreBefore,
} from './lifecycle/operations/backup-room-to-object-store.ts'
import { createRoom } from './lifecycle/operations/create-room.ts'
import { deleteRoom } from './lifecycle/operations/delete-room.ts'
import { editRoom } from './lifecycle/operations/edit-room.ts'
import { createRoomFromBackup, importRoom, restoreNewRoom } from './lifecycle/operations/import-room.ts'
import { restoreRoom } from './lifecycle/operations/restore-room.ts'
import { restoreRoomFromObjectStore } from './lifecycle/operations/restore-room-from-object-store.ts'
import { resumeRoom } from './lifecycle/operations/resume-room.ts'
import { suspendRoom } from './lifecycle/operations/suspend-room.ts'
import { roomListHandlers } from './list/list-routes.ts'
import type { RoomCore } from './start-for-room.ts'
import { systemDatabaseHandlers } from './system-databases/system-database-routes.ts'
import { updateSystemDatabase } from './system-databases/update-system-database.ts'
import { updateSystemDatabases } from './system-databases/update-system-databases.ts'

export { changeState } from './change-state.ts'
export type { Matches } from './list/matches.ts'
export { matchingRooms } from './list/matching-rooms.ts'
export { isMovable, listMovableRooms } from './list/movable-rooms.ts'
export { addTotals, sumsOfRooms, sumsOfTotals, type TotalsRow } from './list/totals.ts'
export type { StartingCall } from './start-for-room.ts'
export type { RoomServices } from './steps/room-services.ts'
export { creationOf, findStoredRoom, type RegionColumns, type StoredRoom, settingsOf } from './stored-room.ts'
export type { RoomErrorCode } from './tables.ts'

export const roomOperations = [
  createRoom,
  importRoom,
  createRoomFromBackup,
  editRoom,
  suspendRoom,
  resumeRoom,
  backupRoom,
  backupRoomBefore,
  backupRoomToObjectStore,
  backupRoomToObjectStoreBefore,
  restoreRoom,
  restoreNewRoom,
  restoreRoomFromObjectStore,
  deleteRoom,
  deleteDatabase,
  backupDatabase,
  backupDatabaseBefore,
  restoreDatabase,
  importDatabase,
  updateSystemDatabase,
  updateSystemDatabases,
] as const

type HandlerParts = RoomCore & BackupParts & { connectRegion: ConnectRegion; regionWaitSeconds: number }

export function roomHandlers(parts: HandlerParts) {
  return {
    ...roomListHandlers(parts.database),
    ...roomDetailHandlers(parts.database, parts.connectRegion),
    ...roomCreationHandlers(parts),
    ...roomChangeHandlers(parts, parts.regionWaitSeconds),
    ...roomBackupHandlers(parts, parts),
    ...databaseHandlers(parts, parts),
    ...systemDatabaseHandlers(parts),
  }
}
export type { RoomsTable, RoomTables } from './tables.ts'
