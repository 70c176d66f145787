/** The table of files that operators have uploaded. */
import type { BackupContents } from '@roomkeeper/contract'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import type { JSONColumnType } from 'kysely'
import type { ReadOnlyColumn } from '#platform/column-types.ts'

export interface UploadTables {
  uploads: UploadsTable
}

export interface UploadsTable {
  name: string
  operatorId: string
  kind: 'backup' | 'database'
  storeKey: string
  fileName: string
  size: number
  sha256: string
  contents: JSONColumnType<BackupContents> | null
  manifest: JSONColumnType<BackupManifest> | null
  createdAt: ReadOnlyColumn<string>
  takenAt: string | null
  deleteAfter: string | null
}
