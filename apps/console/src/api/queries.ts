/** What several features ask the server for. */

import type { LiveMigration } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** All regions by id. Their counts change with every creation, so they are fetched anew on each visit. */
export const regionsQuery = queryOptions({
  queryKey: ['regions'],
  queryFn: async ({ signal }) => (await client.call('regions', { signal })).body,
  staleTime: 0,
})

/**
 * The live migration configurations by id. Asking for them clears the warning of each that has no unfinished room, so
 * the console asks only when the operator does: by opening the dialog, or by Refresh.
 */
export const liveMigrationsQuery = queryOptions({
  queryKey: ['live-migrations', 'list'],
  queryFn: async ({ signal }): Promise<LiveMigration[]> => (await client.call('liveMigrations', { signal })).body,
  staleTime: Number.POSITIVE_INFINITY,
})
