/** What a look at everything needs, and how gentle it is. */
import type { BackupStores } from '#backups/index.ts'
import type { Db } from '#platform/database.ts'
import type { ConnectRegion } from '#regions/index.ts'

export interface DoctorParts {
  db: Db
  connectRegion: ConnectRegion
  stores: BackupStores
  /** Where the newest seal of the audit trail is kept outside of the database. */
  dataDir: string
  signal: AbortSignal
  /** Told now and then. @param rooms that were looked at */
  say(text: string, rooms: number): Promise<void>
}

/** Rooms of a region in one answer, and what it may rest between two. */
export const regionPage = { rooms: 200, pauseMilliseconds: 20 } as const
export const consolePageRooms = 250
/** What is read of backups in one run, so that all of them are read in turns; one larger file is still read whole. */
export const bytesOfBackupsPerRun = 20 * 2 ** 30
