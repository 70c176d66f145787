/** What a run of the doctor needs, and its limits on load. */
import type { Reasons } from '@roomkeeper/contract'
import type { BackupStores } from '#backups/index.ts'
import type { AnchorPlace } from '#operators/index.ts'
import type { Db } from '#platform/database.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { ConnectRegion } from '#regions/index.ts'

export interface DoctorParts {
  db: Db
  connectRegion: ConnectRegion
  stores: BackupStores
  /** Opens what regions keep for the console. */
  secrets: SecretBox
  /** Where the newest seal of the audit trail is written down outside of the database. */
  anchors: readonly AnchorPlace[]
  signal: AbortSignal
  /** Reports progress. @param rooms how many were checked */
  report(said: Reasons, rooms: number): Promise<void>
}

/** How many rooms of a region are read per call, and the pause between two calls. */
export const regionPage = { rooms: 200, pauseMilliseconds: 20 } as const
export const consolePageRooms = 250
/** How many bytes of backups a run reads; several runs together read all. A larger file is still read as a whole. */
export const bytesOfBackupsPerRun = 20 * 2 ** 30
