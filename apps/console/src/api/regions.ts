import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** All regions by id. Their counts change with every creation, so they are fetched anew on each visit. */
export const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: async ({ signal }) => (await client.call('regions', { signal })).body,
  staleTime: 0,
})
