/**
 * Project rooms: listed, exported, created, edited, suspended, backed up, restored, deleted, and their databases.
 * A room is IN_PROGRESS, DEFAULT, SUSPENDED, ERROR or MARKED_FOR_DELETION. The calls are in the *-routes.ts files;
 * what takes time is an operation, in operations/ and databases/.
 */
import type { ConnectRegion } from '#regions/index.ts'
import type { BackupParts } from './backup-routes.ts'
import { roomBackupHandlers } from './backup-routes.ts'
import { roomChangeHandlers } from './change-routes.ts'
import { roomCreationHandlers } from './creation-routes.ts'
import { backupDatabase, backupDatabaseBefore } from './databases/backup-database.ts'
import { databaseHandlers } from './databases/database-routes.ts'
import { deleteDatabase } from './databases/delete-database.ts'
import { importDatabase } from './databases/import-database.ts'
import { restoreDatabase } from './databases/restore-database.ts'
import { roomListHandlers } from './list-routes.ts'
import { roomLookHandlers } from './look-routes.ts'
import { backupRoom, backupRoomBefore } from './operations/backup-room.ts'
import { backupRoomToObjectStore, backupRoomToObjectStoreBefore } from './operations/backup-room-to-object-store.ts'
import { createRoom } from './operations/create-room.ts'
import { deleteRoom } from './operations/delete-room.ts'
import { editRoom } from './operations/edit-room.ts'
import { createRoomFromBackup, importRoom, restoreNewRoom } from './operations/import-room.ts'
import { restoreRoom } from './operations/restore-room.ts'
import { restoreRoomFromObjectStore } from './operations/restore-room-from-object-store.ts'
import { resumeRoom } from './operations/resume-room.ts'
import { suspendRoom } from './operations/suspend-room.ts'
import type { RoomCore } from './start-for-room.ts'
import { systemDatabaseHandlers } from './system-databases/system-database-routes.ts'
import { updateSystemDatabase } from './system-databases/update-system-database.ts'
import { updateSystemDatabases } from './system-databases/update-system-databases.ts'

export type { Matches } from './list/matches.ts'
export { matchingRooms } from './list/matching-rooms.ts'
export { addTotals, sumsOfRooms, sumsOfTotals, type TotalsRow } from './list/totals.ts'
export { isMovable, listMovableRooms } from './movable-rooms.ts'
export { changeState } from './operations/change-state.ts'
export type { RoomServices } from './operations/room-services.ts'
export type { StartingCall } from './start-for-room.ts'
export { creationOf, findStoredRoom, type StoredRoom, settingsOf, type ToldColumns } from './stored-room.ts'

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
    ...roomLookHandlers(parts.database, parts.connectRegion),
    ...roomCreationHandlers(parts),
    ...roomChangeHandlers(parts, parts.regionWaitSeconds),
    ...roomBackupHandlers(parts, parts),
    ...databaseHandlers(parts, parts),
    ...systemDatabaseHandlers(parts),
  }
}
export type { RoomsTable, RoomTables } from './tables.ts'
