import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#api/queries.ts'

/** A page of a room's history, newest first; fetched again after each change of the room. @param page from 0 */
export function roomHistoryQuery(room: ProjectRoom, page: number, size: number) {
  const { tenantName, version, runningOperation, projectRoomState } = room
  const occasion = [version, runningOperation?.operationId ?? null, projectRoomState]
  const query = { projectRoom: tenantName, page, size }
  return {
    ...apiQuery(
      ['rooms', 'history', tenantName, page, size, occasion],
      'roomHistory',
      { query },
      { background: 'refetch-of-similar' },
    ),
    placeholderData: keepPreviousData,
  }
}
