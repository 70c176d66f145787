/** Uploads and backups. */
import type { BackupContents } from '@roomkeeper/contract'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import type { JSONColumnType } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface UploadsTable {
  name: string
  operator_id: string
  kind: 'backup' | 'database'
  store_key: string
  file_name: string
  size: number
  sha256: string
  contents: JSONColumnType<BackupContents> | null
  manifest: JSONColumnType<BackupManifest> | null
  created_at: Made<string>
  taken_at: string | null
  delete_after: string | null
}

export interface RoomBackupsTable {
  id: string
  room_id: string
  room_name: string
  kind: 'classic' | 'd2o'
  location: string
  size: number
  sha256: string
  verified_at: string | null
  created_at: Made<string>
  expires_at: string | null
  checked_at: Defaulted<string | null>
}

/** Rooms that were removed with their region and left backups. */
export interface RemovedRoomsTable {
  room_id: string
  room_name: string
  region_name: string
  removed_at: Made<string>
}

export interface DatabaseBackupsTable {
  id: string
  room_id: string
  database_name: string
  store_key: string
  size: number
  sha256: string
  sealed_password: string
  created_at: Made<string>
  expires_at: string | null
  checked_at: Defaulted<string | null>
  proved_at: Defaulted<string | null>
}

export interface BackupTicketsTable {
  token_hash: Buffer
  backup_id: string
  expires_at: string
}
