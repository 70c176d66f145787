import type { Notification } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'

/** All notifications, those that begin last first. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: async ({ signal }): Promise<readonly Notification[]> =>
    (await client.call('notifications', { signal })).body,
  staleTime: 0,
})
