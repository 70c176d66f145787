/** What the parts of a server process are made of. */
import { resolve } from 'node:path'
import type { ObjectStore } from '#backups/index.ts'
import type { AnchorPlace, FirstAdministrator } from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { Log } from '#platform/log.ts'
import type { ProcessClock } from '#platform/process-clock.ts'
import type { Scheduler } from '#platform/recurring.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { StoreProbe } from '#platform/store-probe.ts'
import type { ConnectRegion, HealthNotes } from '#regions/index.ts'
import type { AddressGuard, MailParts } from '#webhooks/index.ts'
import type { Settings } from './settings.ts'

export const repository = resolve(import.meta.dirname, '../../../..')
export const stopGraceSeconds = 20

/** What the server needs from its process. */
export interface ServerProcess {
  exit(code: number): void
  /** Fires when the process should stop, even while it is still starting. */
  asked: AbortSignal
  /** Called once, on an empty database. */
  tellFirstAdministrator(made: FirstAdministrator): void
}

export type Closing = (() => unknown)[]

export interface ServerDeps {
  settings: Settings
  log: Log
  exit: (code: number) => void
  /** What stops the parts, in the order in which they were started. */
  closing: Closing
  asked: AbortSignal
  tellFirstAdministrator: ServerProcess['tellFirstAdministrator']
  /** Fires when the process has been asked to end. */
  stopping: AbortSignal
  database: Database
  clock: ProcessClock
  scheduler: Scheduler
  secrets: SecretBox
  connectRegion: ConnectRegion
  healthNotes: HealthNotes
  /** Where webhooks may lead. */
  guard: AddressGuard
  mail: MailParts
  files: FileStore
  probeStore: StoreProbe
  /** Where the newest seal of the audit trail is written down. */
  anchors: readonly AnchorPlace[]
  objectStore: ObjectStore
}
