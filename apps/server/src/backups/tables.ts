/** The tables of backups, of the tickets to download them, and of removed rooms that left backups. */
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface BackupTables {
  roomBackups: RoomBackupsTable
  databaseBackups: DatabaseBackupsTable
  removedRooms: RemovedRoomsTable
  backupTickets: BackupTicketsTable
  backupUses: BackupUsesTable
}

export interface RoomBackupsTable {
  id: string
  roomId: string
  roomName: string
  kind: 'classic' | 'd2o'
  location: string
  size: number
  sha256: string
  /** When the file was last read back and found whole: `checkedAt` on the wire. */
  readBackAt: string | null
  createdAt: ReadOnlyColumn<string>
  expiresAt: string | null
  /** When the doctor last read the file, whatever it found. */
  checkedAt: Defaulted<string | null>
  /** When it was last restored in a test: `verifiedAt` on the wire. */
  restoredAt: Defaulted<string | null>
}

export interface DatabaseBackupsTable {
  id: string
  roomId: string
  databaseName: string
  storeKey: string
  size: number
  sha256: string
  sealedPassword: string
  createdAt: ReadOnlyColumn<string>
  expiresAt: string | null
  checkedAt: Defaulted<string | null>
  provedAt: Defaulted<string | null>
}

/** Rooms that were removed with their region and left backups. */
export interface RemovedRoomsTable {
  roomId: string
  roomName: string
  regionName: string
  removedAt: ReadOnlyColumn<string>
}

export interface BackupTicketsTable {
  tokenHash: Buffer
  backupId: string
  expiresAt: string
  sessionHash: Buffer
}

export interface BackupUsesTable {
  id: string
  backupId: string
  kind: 'download' | 'check' | 'removal'
  usedBy: string
  beganAt: ReadOnlyColumn<string>
  heldUntil: string
}
