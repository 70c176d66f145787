import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import type { DeliveriesSearch } from './deliveries-search.ts'

/** No event tells how deliveries go. */
const pollMilliseconds = 10_000

/** All webhooks by name. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal, client: cache, queryKey }) => {
    const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
    return (await client.call('webhooks', { headers, signal })).body
  },
  staleTime: 0,
  refetchInterval: pollMilliseconds,
})

/** A page of the deliveries of a webhook, newest first. */
export function deliveriesQuery(id: string, { page = 1, size, state }: DeliveriesSearch & { size: number }) {
  const query = { page: page - 1, size, ...(state === undefined ? {} : { state }) }
  return queryOptions({
    queryKey: ['webhooks', 'deliveries', id, query],
    queryFn: async ({ signal }) => {
      const given = { params: { id }, query, headers: inBackground, signal }
      return (await client.call('webhookDeliveries', given)).body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: pollMilliseconds,
  })
}

/** Sends a test, once. @param key tells one opening of the dialog from the next */
export function testQuery(id: string, key: string) {
  return queryOptions({
    queryKey: ['webhook-tests', id, key],
    queryFn: async ({ client: cache }) => {
      const { body } = await client.call('testWebhook', { params: { id } })
      void refetchWebhooks(cache)
      return body
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
  })
}

/** The list, and what is shown of the deliveries. */
export function refetchWebhooks(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['webhooks'] })
}
