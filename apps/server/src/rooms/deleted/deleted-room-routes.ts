/** The calls about deleted rooms that can come back, and about those that were purged. */
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { findCertificate, listPurgedRooms } from '../purge/purged-rooms.ts'
import { startPurge } from '../purge/start-purge.ts'
import type { RoomCore } from '../start-for-room.ts'
import { listDeletedRooms } from './list-deleted-rooms.ts'
import { startRestore } from './start-restore.ts'

type DeletedRoomHandlers = Pick<
  Handlers,
  'deletedRooms' | 'restoreDeletedRoom' | 'purgeDeletedRoom' | 'purgedRooms' | 'purgeCertificate'
>

/** @param keepDays for how many days rooms that are deleted from now on can come back */
export function deletedRoomHandlers(core: RoomCore, keepDays: number): DeletedRoomHandlers {
  return {
    deletedRooms: async ({ query }) => ok({ ...(await listDeletedRooms(core.database.db, query)), keepDays }),
    restoreDeletedRoom: async (call) => accepted(await startRestore(core, call, { id: call.params.id, ...call.body })),
    purgeDeletedRoom: async (call) => accepted(await startPurge(core, call, { id: call.params.id, ...call.body })),
    purgedRooms: async ({ query }) => ok(await listPurgedRooms(core.database.db, query)),
    purgeCertificate: async ({ params }) => ok(await findCertificate(core.database.db, params.id)),
  }
}
