import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#api/queries.ts'

/** The databases of a room, fetched again when an operation of the room starts or ends. */
export function databasesQuery({ tenantName, runningOperation }: ProjectRoom) {
  const key = ['rooms', 'databases', tenantName, runningOperation?.operationId ?? null]
  const query = { projectRoom: tenantName }
  return {
    ...apiQuery(key, 'databases', { query }, { background: 'refetch-of-similar' }),
    placeholderData: keepPreviousData,
  }
}
