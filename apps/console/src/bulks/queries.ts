import type { BulkAction, BulkItemState, BulkRequest } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { apiQuery } from '#api/queries.ts'
import type { PagedSearch } from '#ui/use-paged-search.ts'

/** Beside the events: one may be missed, and the time left changes without any. */
const pollMilliseconds = 3000

export function bulkQuery(id: string) {
  return queryOptions({
    ...apiQuery(['bulks', 'one', id], 'bulk', { params: { id } }, { background: 'always' }),
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? pollMilliseconds : false),
  })
}

/** A bulk, kept up to date. */
export function useBulk(id: string) {
  useRefetchOnEvents(['bulks'], (event) => event.type === 'bulk' && event.id === id)
  return useQuery(bulkQuery(id))
}

export function bulksQuery(query: PagedSearch['wanted'] & { action: BulkAction | undefined }) {
  return {
    ...apiQuery(['bulks', 'all', query], 'bulks', { query }, { background: 'always' }),
    placeholderData: keepPreviousData,
  }
}

type WantedItems = PagedSearch['wanted'] & { search?: string; state?: BulkItemState }

export function bulkItemsQuery(id: string, { page, size, search = '', state }: WantedItems) {
  const query = { page, size, search, state: state ?? ('' as const) }
  const key = ['bulks', 'items', id, query]
  return {
    ...apiQuery(key, 'bulkItems', { params: { id }, query }, { background: 'always', texts: ['errors'] }),
    placeholderData: keepPreviousData,
  }
}

/** While the action is possible for no room, it is asked again this often. */
const blockedMilliseconds = 5000

/** Asked anew at each opening of the dialog: rooms change. @param key tells one opening from the next */
export function bulkPreflightQuery(request: BulkRequest, key: string) {
  const body = checkedOf(request)
  const options = { background: 'refetch', texts: ['errors', 'rooms', 'operations'] } as const
  return queryOptions({
    ...apiQuery(['bulks', 'preflight', key, body.parameters], 'preflightBulk', { body }, options),
    // What stands in the way may disappear at any moment.
    refetchInterval: ({ state }) => (state.data?.possible === 0 ? blockedMilliseconds : false),
    gcTime: 0,
    retry: false,
  })
}

/** What the check depends on, so that neither the choice of a backup nor each letter of an e-mail asks for it again. */
function checkedOf(request: BulkRequest): BulkRequest {
  if (request.action === 'delete') return { ...request, parameters: { withoutBackup: false } }
  return request.action === 'notify' ? { ...request, parameters: { subject: '', text: '–' } } : request
}
