/** The calls that read a room's licences in use and its history, and the call that deletes a customer user. */
import { because } from '@roomkeeper/contract'
import { recordAudit, roomHistory } from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { askRegion, type ConnectRegion } from '#regions/index.ts'
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
    /** Asks all regions, because the console does not know which one has the user. The others answer at once. */
    async deleteUser({ params, caller, requestId, signal }) {
      const regions = await db.selectFrom('regions').select(['id', 'name']).orderBy('id').execute()
      const answers = await Promise.allSettled(
        regions.map(async ({ id, name }) => {
          const region = await connectRegion(id, signal)
          return askRegion(name, () => region.deleteUser(params.id))
        }),
      )
      const isGoneFrom = (index: number) => {
        const answer = answers[index]
        return answer?.status === 'fulfilled' && answer.value
      }
      const open = regions.filter((_, index) => !isGoneFrom(index)).map(({ name }) => name)
      // Recorded even if a region failed, because others may have deleted the user.
      const detail =
        open.length === 0 ? params.id : because('audit-not-deleted-on', { user: params.id, regions: open.join(', ') })
      await recordAudit(db, { actor: caller.actor, action: 'user.delete', detail, requestId })
      const failure = answers.find((answer) => answer.status === 'rejected')
      if (failure !== undefined) throw failure.reason
      return ok(open.length === 0)
    },
  }
}
