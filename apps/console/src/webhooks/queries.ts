import type { DeliveryState } from '@roomkeeper/contract'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import type { PagedSearch } from '#ui/use-paged-search.ts'

/** No event tells how deliveries go. */
const pollMilliseconds = 10_000

/** All webhooks by name. */
export const webhooksQuery = {
  ...apiQuery(['webhooks', 'list'], 'webhooks', {}, { background: 'refetch' }),
  refetchInterval: pollMilliseconds,
}

type WantedDeliveries = PagedSearch['wanted'] & { state: DeliveryState | undefined }

/** A page of the deliveries of a webhook, newest first. */
export function deliveriesQuery(id: string, { page, size, state }: WantedDeliveries) {
  const query = { page, size, ...(state === undefined ? {} : { state }) }
  const key = ['webhooks', 'deliveries', id, query]
  return {
    ...apiQuery(key, 'webhookDeliveries', { params: { id }, query }, { background: 'always' }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMilliseconds,
  }
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
