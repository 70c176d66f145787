import type { FindingSeverity, Repair } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import type { PagedSearch } from '#ui/use-paged-search.ts'

type WantedFindings = PagedSearch['wanted'] & { search?: string; severity?: FindingSeverity; closed?: true }

/** A page of findings, and the newest run. */
export function findingsQuery({ page, size, search = '', severity, closed }: WantedFindings) {
  const query = { page, size, search, severity: severity ?? ('' as const), closed: closed === true }
  const options = { background: 'always', texts: ['errors', 'rooms'] } as const
  return {
    ...apiQuery(['doctor', 'findings', query], 'doctorFindings', { query }, options),
    placeholderData: keepPreviousData,
  }
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
