import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { type LiveEvent, useLiveEvents, usePollInterval } from '#api/events.ts'
import { useFollowUp } from '#api/follow-up.ts'
import { apiQuery } from '#api/queries.ts'

/** Counts of all rooms; fetched whenever the customer panel opens. */
export const overviewQuery = apiQuery(['rooms', 'overview'], 'overview', {})

/** A room for its page; fetched again in the background whenever it has changed. */
export function roomQuery(name: string) {
  return apiQuery(['rooms', 'one', name], 'room', { query: { projectRoom: name } }, { background: 'refetch' })
}

/** A room's licences and how many are in use, according to its region. */
export function roomLicencesQuery(name: string) {
  return apiQuery(['rooms', 'licences', name], 'roomLicences', { query: { projectRoom: name } })
}

/** A room, fetched in the background because it has changed. */
export async function fetchChangedRoom(name: string) {
  return (await client.call('room', { query: { projectRoom: name }, headers: inBackground })).body
}

const restMilliseconds = 300

/** Queries about a room whose answers change when an operation of the room ends. */
const parts = ['backups', 'databases', 'history']

/** Keeps the room up to date while its page is open. */
export function useLiveRoom(name: string) {
  const queryClient = useQueryClient()
  const refetchInterval = usePollInterval()
  const note = useFollowUp((events: ReadonlySet<LiveEvent>) => refresh(queryClient, name, [...events]))
  useLiveEvents((event) => {
    const isAboutIt = (event.type === 'room' || event.type === 'operation') && event.room === name
    if (isAboutIt || event.type === 'region' || event.type === 'reset') note(event)
  })
  return useQuery({ ...roomQuery(name), refetchInterval })
}

/**
 * An operation may start and end between two fetches of the room. So the queries above are refreshed whenever an event
 * names an operation that is not running.
 */
async function refresh(queryClient: QueryClient, name: string, events: readonly LiveEvent[]): Promise<number> {
  const query = roomQuery(name)
  await queryClient.invalidateQueries(query, { throwOnError: true })
  const running = queryClient.getQueryData(query.queryKey)?.runningOperation?.operationId
  const mayHaveEnded = events.some(
    (event) => event.type === 'reset' || (event.type === 'operation' && event.operationId !== running),
  )
  const ended = mayHaveEnded ? parts : []
  const throwOnError = true
  await Promise.all(
    ended.map((part) => queryClient.invalidateQueries({ queryKey: ['rooms', part, name] }, { throwOnError })),
  )
  return restMilliseconds
}
