import type { Answer, MigrationProgress, MigrationStateEntry } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { type PickedRooms, wireOf } from './picked-rooms.ts'

export const pickerSize = 8

/** How far the newest run of a configuration is; null before the first. Asked for again whenever a room of it moves on. */
export function progressQuery(id: number) {
  return queryOptions({
    queryKey: ['live-migrations', 'progress', id],
    queryFn: async ({ signal, client: cache, queryKey }): Promise<MigrationProgress | null> => {
      const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
      return (await client.call('liveMigrationProgress', { params: { id }, headers, signal })).body
    },
    staleTime: 0,
  })
}

/** What became of the rooms of a configuration, newest first. */
export function statesQuery(id: number) {
  return queryOptions({
    queryKey: ['live-migrations', 'states', id],
    queryFn: async ({ signal, client: cache, queryKey }): Promise<MigrationStateEntry[]> => {
      const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
      return (await client.call('migrationStates', { body: { id }, headers, signal })).body
    },
    staleTime: 0,
  })
}

/** The log and the error of one state entry. */
export function stateLogsQuery(stateId: number) {
  return queryOptions({
    queryKey: ['live-migrations', 'logs', stateId],
    queryFn: async ({ signal }) => (await client.call('migrationStateLogs', { query: { stateId }, signal })).body,
    staleTime: 0,
  })
}

export type MigrationRoomPage = Answer<'migrationRooms'>['body']

/** A page of the rooms that can be picked. @param page from 1 */
export function migrationRoomsQuery(id: number, search: string, page: number) {
  return queryOptions({
    queryKey: ['live-migrations', 'rooms', id, search, page],
    queryFn: async ({ signal }): Promise<MigrationRoomPage> => {
      const query = { page: page - 1, size: pickerSize }
      return (await client.call('migrationRooms', { query, body: { liveMigrationData: { id }, search }, signal })).body
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** What would happen to the picked rooms if the migration started now. @param page from 1 */
export function preflightQuery(id: number, picked: PickedRooms, skippActiveSessions: boolean, page: number) {
  const body = { liveMigrationData: { id }, ...wireOf(picked), skippActiveSessions }
  return queryOptions({
    queryKey: ['live-migrations', 'preflight', body, page],
    queryFn: async ({ signal }) => {
      const query = { page: page - 1, size: pickerSize }
      return (await client.call('preflightLiveMigration', { query, body, signal })).body
    },
    // Obstacles may be gone a moment later.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}
