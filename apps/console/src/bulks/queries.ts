import type { BulkRequest } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { client, inBackground } from '#api/client.ts'
import type { BulkSearch, BulksSearch } from './bulk-search.ts'

/** Beside the events: one may be missed, and the time left changes without any. */
const pollMilliseconds = 3000

export function bulkQuery(id: string) {
  return queryOptions({
    queryKey: ['bulks', 'one', id],
    queryFn: async ({ signal }) => (await client.call('bulk', { params: { id }, headers: inBackground, signal })).body,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? pollMilliseconds : false),
  })
}

export function bulksQuery({ page = 1, size }: BulksSearch & { size: number }) {
  const query = { page: page - 1, size }
  return queryOptions({
    queryKey: ['bulks', 'all', query],
    queryFn: async ({ signal }) => (await client.call('bulks', { query, headers: inBackground, signal })).body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function bulkItemsQuery(id: string, { page = 1, size, search = '', state }: BulkSearch & { size: number }) {
  const query = { page: page - 1, size, search, state: state ?? ('' as const) }
  return queryOptions({
    queryKey: ['bulks', 'items', id, query],
    queryFn: async ({ signal }) => {
      const { body } = await client.call('bulkItems', { params: { id }, query, headers: inBackground, signal })
      // If their texts were loaded when they are drawn, the whole page would go for a moment, and the focus with it.
      if (body.data.some(({ reasons }) => reasons.length > 0)) await loadReasons()
      return body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Asked anew at each opening of the dialog: rooms change. @param key tells one opening from the next */
export function bulkPreflightQuery(request: BulkRequest, key: string) {
  const checked = checkedOf(request)
  return queryOptions({
    queryKey: ['bulks', 'preflight', key, checked.parameters],
    queryFn: async ({ signal }) => {
      const [{ body }] = await Promise.all([client.call('preflightBulk', { body: checked, signal }), loadReasons()])
      return body
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
}

/** What the check depends on, so that neither the choice of a backup nor each letter of an e-mail asks for it again. */
function checkedOf(request: BulkRequest): BulkRequest {
  if (request.action === 'delete') return { ...request, parameters: { withoutBackup: false } }
  return request.action === 'notify' ? { ...request, parameters: { subject: '', text: '–' } } : request
}

function loadReasons(): Promise<void> {
  return i18next.loadNamespaces(['errors']).catch(() => undefined)
}
