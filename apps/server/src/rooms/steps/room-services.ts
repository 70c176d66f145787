/** What the steps of a room's operations use. */
import type { ObjectStore } from '#backups/index.ts'
import type { Db } from '#platform/database.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { Log } from '#platform/log.ts'
import type { SendMail } from '#platform/mail.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { ConnectRegion } from '#regions/index.ts'

export interface RoomServices {
  db: Db
  log: Log
  connectRegion: ConnectRegion
  sendMail: SendMail
  /** Uploads and backups. */
  files: FileStore
  /** For backups that regions write and read by themselves. */
  objectStore: ObjectStore
  secrets: SecretBox
  /** This process's own folder. */
  dataDir: string
  /** Where browsers reach the console. */
  publicUrl: string
  /** How many operations a region takes at once. */
  regionConcurrency: number
}
