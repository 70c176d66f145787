import type { LiveMigration } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/**
 * The live migration configurations by id. Asking for them clears the warning of each that has no unfinished room, so
 * the console asks only when the operator does: by opening the dialog, or by Refresh.
 */
export const liveMigrationsQuery = queryOptions({
  queryKey: ['live-migrations', 'list'],
  queryFn: async ({ signal }): Promise<LiveMigration[]> => (await client.call('liveMigrations', { signal })).body,
  staleTime: Number.POSITIVE_INFINITY,
})
