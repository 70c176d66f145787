/** What the steps of operations work with, beside the database and the log. */
import type { ObjectStore } from '#backups/index.ts'
import type { AnchorPlace } from '#operators/index.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { ConnectRegion } from '#regions/index.ts'

declare module '#operations/operation.ts' {
  interface Services {
    connectRegion: ConnectRegion
    /** Holds uploads and backups. */
    files: FileStore
    /** For D2O backups, which the regions themselves write and read. */
    objectStore: ObjectStore
    secrets: SecretBox
    /** Where the newest seal of the audit trail is written down. */
    anchors: readonly AnchorPlace[]
    /** The URL under which browsers reach the console, with a slash at its end. */
    publicUrl: string
    /** How many operations may run on a region at once. */
    regionConcurrency: number
    /** How many days a deleted room can come back; 0: never. */
    keepDeletedDays: number
  }
}
