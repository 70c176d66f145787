import { queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'

/** What is set for all regions. */
export const cloudConfigurationQuery = queryOptions({
  queryKey: ['cloud-configuration'],
  queryFn: async ({ signal }) => (await client.call('configuration', { signal })).body,
  staleTime: 0,
})
