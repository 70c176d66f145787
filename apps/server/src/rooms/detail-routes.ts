/** The calls that read a room's licences in use and its history, and the call that deletes a customer user. */
import { roomHistory } from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { askRegion, type ConnectRegion } from '#regions/index.ts'
import { type AskForRemoval, deleteUser } from './delete-user.ts'
import { findRoomId } from './find-room-id.ts'
import { findRoomOnRegion } from './find-room-on-region.ts'

type DetailHandlers = Pick<Handlers, 'roomLicences' | 'roomHistory' | 'deleteUser'>

export function roomDetailHandlers(database: Database, connectRegion: ConnectRegion): DetailHandlers {
  const { db } = database
  return {
    async roomLicences({ query, signal }) {
      const { room, regionName } = await findRoomOnRegion(db, query.projectRoom)
      const region = await connectRegion(room.regionId, signal)
      return ok(await askRegion(regionName, () => region.licences(room.name)))
    },
    async roomHistory({ query }) {
      const roomId = await findRoomId(db, query.projectRoom)
      if (roomId === null) throw refuse('room-unknown', { room: query.projectRoom })
      return ok(await roomHistory(db, roomId, query))
    },
    async deleteUser({ params, caller, requestId, signal }) {
      const ask: AskForRemoval = async ({ id, name }) => {
        const region = await connectRegion(id, signal)
        return askRegion(name, () => region.deleteUser(params.id))
      }
      return ok(await deleteUser(database, { user: params.id, actor: caller.actor, requestId }, ask))
    },
  }
}
