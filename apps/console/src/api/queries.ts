/** The cache of what the server has said, and what several features ask for. */
import { type LiveMigration, ProblemError } from '@roomkeeper/contract'
import { QueryClient, type QueryKey, queryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import { client, inBackground } from './client.ts'
import { isSessionEnd, textOf } from './text-of-error.ts'

/** Refusals are final; only transient failures (no connection, 5xx) are retried, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Also when the browser believes to be offline: a failed call shows an error, a paused one shows nothing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && !(error instanceof ProblemError && error.problem.status < 500),
    },
  },
})

/**
 * The headers of a query whose key ends with what makes the console ask again, such as a running operation: once
 * there was an answer, nobody asked for another, so that it must not keep an idle session alive.
 */
export function headersOfRefetch(cache: QueryClient, queryKey: QueryKey): Record<string, string> {
  const known = cache.getQueriesData({ queryKey: queryKey.slice(0, -1) })
  return known.some(([, data]) => data !== undefined) ? inBackground : {}
}

/** Queries that several features share. */
/** All regions by id. Their counts change with every creation, so they are fetched anew on each visit. */
export const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: async ({ signal }) => (await client.call('regions', { signal })).body,
  staleTime: 0,
})

/**
 * The live migration configurations by id. Asking for them clears the warning of each that has no unfinished room, so
 * the console asks only when the operator does: by opening the dialog, or by Refresh.
 */
export const liveMigrationsQuery = queryOptions({
  queryKey: ['live-migrations', 'list'],
  queryFn: async ({ signal }): Promise<LiveMigration[]> => (await client.call('liveMigrations', { signal })).body,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The state of a query, for the table of its rows. @param failed says that they could not be loaded */
export function loadStateOf(query: UseQueryResult, failed: string): LoadState {
  const { error, refetch, isPlaceholderData } = query
  return {
    failure: error === null || isSessionEnd(error) ? null : { title: failed, text: textOf(error) },
    onAgain: () => void refetch(),
    isOutdated: isPlaceholderData,
  }
}
