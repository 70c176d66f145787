/** The call that restores a backup in a test. */
import { findBackup, type ObjectStore } from '#backups/index.ts'
import { startOnce } from '#operations/index.ts'
import type { Database } from '#platform/database.ts'
import { accepted, type Handlers } from '#platform/http/handler.ts'
import { startVerification } from './start-verification.ts'

export function verificationHandlers(database: Database, objectStore: ObjectStore): Pick<Handlers, 'verifyRoomBackup'> {
  return {
    async verifyRoomBackup({ params, caller, requestId, header }) {
      const request = { caller, route: 'verifyRoomBackup', key: header('idempotency-key'), body: params }
      const id = await startOnce(database, request, async (tx) => {
        const backup = await findBackup(tx, params.id)
        // If its bucket is not configured, this refuses the request now instead of failing in the background.
        if (backup.kind === 'd2o') objectStore.locationOfUri(backup.location)
        return startVerification(tx, backup, { startedBy: caller.actor, requestId })
      })
      return accepted(id)
    },
  }
}
