import { queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'

/** The regions to which new shop orders can be distributed. */
export const sourceRegionsQuery = queryOptions({
  queryKey: ['regions', 'source'],
  queryFn: async ({ signal }) => (await client.call('sourceRegions', { signal })).body,
  staleTime: 0,
})
