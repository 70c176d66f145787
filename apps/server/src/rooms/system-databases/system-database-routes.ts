/** The calls that update the system databases of all rooms, or of all rooms of one region. */
import { recordChange } from '#changes/index.ts'
import { startOnce } from '#operations/index.ts'
import { accepted, type Handlers } from '#platform/http/handler.ts'
import type { RoomCore, StartingCall } from '../start-for-room.ts'
import { startUpdate } from './update-system-databases.ts'

type SystemDatabaseHandlers = Pick<Handlers, 'updateSystemDatabases' | 'updateSystemDatabasesOfRegion'>

export function systemDatabaseHandlers(core: RoomCore): SystemDatabaseHandlers {
  async function update(call: StartingCall, route: keyof SystemDatabaseHandlers, regionId: number | null) {
    const { caller, requestId } = call
    const request = { caller, route, key: call.header('idempotency-key'), body: { regionId } }
    const id = await startOnce(core.database, request, async (tx) => {
      const start = { regionId, startedBy: caller.actor, requestId }
      const { operationId, subject } = await startUpdate(tx, start)
      const entry = {
        actor: caller.actor,
        kind: 'system-databases.update' as const,
        operationId,
        detail: subject,
        requestId,
      }
      await recordChange(tx, entry)
      return operationId
    })
    return accepted(id)
  }
  return {
    updateSystemDatabases: (call) => update(call, 'updateSystemDatabases', null),
    updateSystemDatabasesOfRegion: (call) => update(call, 'updateSystemDatabasesOfRegion', call.body.regionId),
  }
}
