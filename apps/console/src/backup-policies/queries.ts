import type { BackupPolicyDraft } from '@roomkeeper/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#api/queries.ts'

/** All policies by name, with how their backups have ended lately. */
export const policiesQuery = apiQuery(['backup-policies', 'list'], 'backupPolicies', {}, { background: 'refetch' })

/** How many rooms a policy would cover, and how much space it would take. */
export function previewQuery({ rooms, kind, schedule, keep }: BackupPolicyDraft) {
  const body = { rooms, kind, schedule, keep }
  return {
    ...apiQuery(['backup-policies', 'preview', body], 'previewBackupPolicy', { body }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  }
}
