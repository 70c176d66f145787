import type { BackupPolicyDraft } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'

/** All policies by name, with how their backups have ended lately. */
export const policiesQuery = queryOptions({
  queryKey: ['backup-policies', 'list'],
  queryFn: async ({ signal, client: cache, queryKey }) => {
    const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
    return (await client.call('backupPolicies', { headers, signal })).body
  },
  staleTime: 0,
})

/** How many rooms a policy would cover, and how much space it would take. */
export function previewQuery({ rooms, kind, schedule, keep }: BackupPolicyDraft) {
  const body = { rooms, kind, schedule, keep }
  return queryOptions({
    queryKey: ['backup-policies', 'preview', body],
    queryFn: async ({ signal }) => (await client.call('previewBackupPolicy', { body, signal })).body,
    placeholderData: keepPreviousData,
  })
}
