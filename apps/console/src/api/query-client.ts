import { ProblemError } from '@roomkeeper/contract'
import { QueryClient } from '@tanstack/react-query'

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
