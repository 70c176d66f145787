/** The tables of backups. */
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface BackupTables {
  roomBackups: RoomBackupsTable
  databaseBackups: DatabaseBackupsTable
}

interface RoomBackupsTable {
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

interface DatabaseBackupsTable {
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
