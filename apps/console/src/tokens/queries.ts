import { queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'

/** No event tells that a token was used or refused. */
const pollMilliseconds = 15_000

/** The operator's tokens, and for CLOUD_ADMINISTRATORs those of all operators. */
export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal, client: cache, queryKey }) => {
    const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
    return (await client.call('tokens', { headers, signal })).body
  },
  staleTime: 0,
  refetchInterval: pollMilliseconds,
})
