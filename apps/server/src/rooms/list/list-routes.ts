/** The calls that read rooms: the list, one room, the export, the overview. */
import type { Database } from '#platform/database.ts'
import { asAttachment, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { findRoom } from '../find-room.ts'
import { countRooms } from './count-rooms.ts'
import { exportRooms } from './export-rooms.ts'
import { listRooms } from './list-rooms.ts'

type RoomListHandlers = Pick<Handlers, 'listRooms' | 'room' | 'exportRooms' | 'overview'>

export function roomListHandlers(database: Database): RoomListHandlers {
  return {
    listRooms: async ({ query }) => ok(await listRooms(database, query)),
    async room({ query }) {
      const room = await findRoom(database.db, query.projectRoom)
      if (room === null) throw refuse('room-unknown', { room: query.projectRoom })
      return ok(room)
    },
    async exportRooms({ query }) {
      const stream = await exportRooms(database, query)
      return { status: 200, stream, headers: asAttachment(`projectRooms_${new Date().toISOString()}.csv`) }
    },
    overview: async () => ok(await countRooms(database.db)),
  }
}
