import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { roomQuery } from './queries.ts'

/** The room as it is on the server, while the page is open. */
export function useLiveRoom(name: string) {
  const queryClient = useQueryClient()
  const refetchInterval = usePollInterval()
  useLiveEvents((event) => {
    const isAboutIt = (event.type === 'room' || event.type === 'operation') && event.room === name
    if (isAboutIt || event.type === 'reset') void queryClient.invalidateQueries(roomQuery(name))
  })
  return useQuery({ ...roomQuery(name), refetchInterval })
}
