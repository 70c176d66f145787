import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { countMatchingRooms } from './count-matching-rooms.ts'

export function statisticsHandlers(database: Database): Pick<Handlers, 'roomStatistics'> {
  return { roomStatistics: async ({ query }) => ok(await countMatchingRooms(database, query)) }
}
