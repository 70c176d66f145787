import type { Repair } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { client, inBackground } from '#api/client.ts'
import type { ConsistencySearch } from './consistency-search.ts'

/** A page of findings, and the newest run. */
export function findingsQuery({ page = 1, size, search = '', severity, closed }: ConsistencySearch & { size: number }) {
  const query = { page: page - 1, size, search, severity: severity ?? ('' as const), closed: closed === true }
  return queryOptions({
    queryKey: ['doctor', 'findings', query],
    queryFn: async ({ signal }) => {
      const { body } = await client.call('doctorFindings', { query, headers: inBackground, signal })
      // If their texts were loaded when they are drawn, the whole page would go for a moment, and the focus with it.
      if (body.data.length > 0) await i18next.loadNamespaces(['errors', 'rooms']).catch(() => undefined)
      return body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** What a repair would change; the regions are asked anew each time. */
export function previewQuery(id: string, repair: Repair) {
  return queryOptions({
    queryKey: ['doctor', 'preview', id, repair],
    queryFn: async ({ signal }) => {
      const answer = await client.call('repairFinding', { params: { id }, body: { repair, preview: true }, signal })
      if (answer.status !== 200) throw new Error('A preview starts nothing.')
      return answer.body
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
}
