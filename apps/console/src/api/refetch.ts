import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { inBackground } from './client.ts'

/**
 * The headers of a query whose key ends with what makes the console ask again, such as a running operation: once
 * there was an answer, nobody asked for another, so that it must not keep an idle session alive.
 */
export function headersOfRefetch(cache: QueryClient, queryKey: QueryKey): Record<string, string> {
  const known = cache.getQueriesData({ queryKey: queryKey.slice(0, -1) })
  return known.some(([, data]) => data !== undefined) ? inBackground : {}
}
