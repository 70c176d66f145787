import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type LiveEvent, useLiveEvents, usePollInterval } from '#api/events.ts'
import { roomQuery } from './queries.ts'

/** What is asked for beside the room itself, and is another thing when an operation of the room has ended. */
const parts = ['backups', 'databases', 'history']

/** The room as it is on the server, while the page is open. */
export function useLiveRoom(name: string) {
  const queryClient = useQueryClient()
  const refetchInterval = usePollInterval()
  useLiveEvents((event) => {
    const isAboutIt = (event.type === 'room' || event.type === 'operation') && event.room === name
    if (isAboutIt || event.type === 'reset') void refresh(queryClient, name, event)
  })
  return useQuery({ ...roomQuery(name), refetchInterval })
}

/**
 * An operation may begin and end between two looks at the room: what it changed is asked for whenever it is heard of
 * and does not run.
 */
async function refresh(queryClient: QueryClient, name: string, event: LiveEvent): Promise<void> {
  const query = roomQuery(name)
  await queryClient.invalidateQueries(query)
  const running = queryClient.getQueryData(query.queryKey)?.runningOperation?.operationId
  if (event.type === 'room' || (event.type === 'operation' && event.operationId === running)) return
  await Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: ['rooms', part, name] })))
}
