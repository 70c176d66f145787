import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#api/queries.ts'

/** The backups of a room, newest first; fetched again when an operation of the room starts or ends. */
export function backupsQuery({ tenantName, runningOperation }: ProjectRoom) {
  const key = ['rooms', 'backups', tenantName, runningOperation?.operationId ?? null]
  const query = { projectRoom: tenantName }
  return {
    ...apiQuery(key, 'roomBackups', { query }, { background: 'refetch-of-similar' }),
    placeholderData: keepPreviousData,
  }
}
