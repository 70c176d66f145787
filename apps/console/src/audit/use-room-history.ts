import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { apiQuery } from '#api/queries.ts'

/**
 * A page of a room's history, newest first; fetched again after each change of the room.
 * @param page from 0
 * @param options of the query
 */
export function useRoomHistory(
  room: ProjectRoom,
  page: number,
  size: number,
  options: { enabled?: boolean; refetchInterval?: ReturnType<typeof usePollInterval> },
) {
  const { tenantName: name, version, runningOperation, projectRoomState } = room
  const queryKey = ['rooms', 'history', name]
  // Labels and notes change nothing of the occasion.
  useRefetchOnEvents(queryKey, (event) => event.type === 'room' && event.room === name)
  const occasion = [version, runningOperation?.operationId ?? null, projectRoomState]
  return useQuery({
    ...apiQuery(
      [...queryKey, page, size, occasion],
      'roomHistory',
      { query: { projectRoom: name, page, size } },
      { background: 'refetch-of-similar' },
    ),
    placeholderData: keepPreviousData,
    ...options,
  })
}
