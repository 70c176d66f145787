/** The cache of the server's answers, and the queries that several features share. */
import { type LiveMigration, ProblemError } from '@roomkeeper/contract'
import { QueryClient, type QueryKey, queryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import { client, inBackground } from './client.ts'
import { isSessionEnd, textOf } from './text-of-error.ts'

/** Refusals are final; only transient failures (no connection, 5xx) are retried, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`, even if the browser seems to be offline: a failed call shows an error, a paused one would show nothing.
    // What was sent, such as a password, is forgotten with the form that sent it.
    mutations: { networkMode: 'always', gcTime: 0 },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && !(error instanceof ProblemError && error.problem.status < 500),
    },
  },
})

/**
 * The headers of a query whose key ends with what causes a refetch, such as a running operation. After the first answer
 * no operator has asked, so the call must not keep an idle session alive.
 */
export function headersOfRefetch(cache: QueryClient, queryKey: QueryKey): Record<string, string> {
  const known = cache.getQueriesData({ queryKey: queryKey.slice(0, -1) })
  return known.some(([, data]) => data !== undefined) ? inBackground : {}
}

/** All regions by id. Their room counts change with every creation, so they are refetched on each visit. */
export const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: async ({ signal, client: cache, queryKey }) => {
    const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
    return (await client.call('regions', { headers, signal })).body
  },
  staleTime: 0,
})

/**
 * The live migration configurations by id. Fetching the list clears the warning of each configuration that has no
 * unfinished room, so it is fetched only when the operator asks: by opening the dialog, or by Refresh.
 */
export const liveMigrationsQuery = queryOptions({
  queryKey: ['live-migrations', 'list'],
  queryFn: async ({ signal }): Promise<LiveMigration[]> => (await client.call('liveMigrations', { signal })).body,
  staleTime: Number.POSITIVE_INFINITY,
})

/** For how many days a room that is deleted now can come back; 0: no last backup is taken. For administrators only. */
export const keepDaysQuery = queryOptions({
  queryKey: ['deleted-rooms', 'keep-days'],
  queryFn: async ({ signal }) => (await client.call('deletedRooms', { query: { size: 1 }, signal })).body.keepDays,
  staleTime: 5 * 60_000,
})

/** The state of a query, for the table of its rows. @param failed the title if they could not be loaded */
export function loadStateOf(query: UseQueryResult, failed: string): LoadState {
  const { error, refetch, isPlaceholderData } = query
  return {
    failure: error === null || isSessionEnd(error) ? null : { title: failed, text: textOf(error) },
    onAgain: () => void refetch(),
    isOutdated: isPlaceholderData,
  }
}
