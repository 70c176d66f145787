/** The calls that read rooms: the list, one room, the export, the overview. */
import type { RoomListQuery } from '@roomkeeper/contract'
import { answerWithTicket, type Reading, redeemTicket } from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import { asAttachment, type Handlers, ok, okShared, type StreamReply } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { sharedReads } from '#platform/shared-reads.ts'
import { findRoom } from '../find-room.ts'
import { exportRooms, type RoomExport } from './export-rooms.ts'
import { countFailedRooms } from './failed-rooms.ts'
import { listRooms } from './list-rooms.ts'
import { parseRoomQuery } from './query.ts'
import { readOverview } from './totals.ts'

type RoomListHandlers = Pick<
  Handlers,
  'listRooms' | 'room' | 'exportRooms' | 'createRoomsTicket' | 'downloadRooms' | 'failedRooms' | 'overview'
>

export function roomListHandlers(database: Database): RoomListHandlers {
  const sendExport = async (query: RoomExport, reading: Reading): Promise<StreamReply> => {
    const stream = await exportRooms(database, query, reading)
    return {
      status: 200,
      stream,
      headers: asAttachment(`projectRooms_${new Date().toISOString()}.csv`),
      caller: reading.caller,
    }
  }
  // All operators may see all rooms, so the answer depends on the query alone.
  const sharedPages = sharedReads(async (query: RoomListQuery) => okShared(await listRooms(database, query)))
  return {
    listRooms: ({ query }) => sharedPages(query),
    async room({ query }) {
      const room = await findRoom(database.db, query.projectRoom)
      if (room === null) throw refuse('room-unknown', { room: query.projectRoom })
      return ok(room)
    },
    exportRooms: (call) => sendExport(call.query, call),
    async createRoomsTicket({ body, caller }) {
      // Refuses what the download would refuse.
      parseRoomQuery(body.query)
      database.exports.check(caller.operatorId)
      return answerWithTicket(database.db, 'downloadRooms', body, caller)
    },
    async downloadRooms({ params, address, requestId }) {
      const { wanted, caller } = await redeemTicket(database.db, 'downloadRooms', params.ticket, address)
      const { query, ...form } = wanted
      return sendExport({ ...query, ...form }, { caller, requestId })
    },
    failedRooms: async ({ query }) => ok(await countFailedRooms(database.db, query)),
    overview: async () => ok(await readOverview(database.db)),
  }
}
