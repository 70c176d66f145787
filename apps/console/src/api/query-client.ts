import { ProblemError } from '@roomkeeper/contract'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { inBackground } from './client.ts'

/** A refusal stays a refusal; only what may pass (no connection, 5xx) is tried again, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Also when the browser believes to be offline: a call that fails says so, one that waits says nothing.
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
