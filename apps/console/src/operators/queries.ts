import { queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'

/** All accounts, by e-mail. */
export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: async ({ signal }) => (await client.call('operators', { signal })).body,
})
