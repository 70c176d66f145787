/** Changes of policies, with a question if something would be lost. */
import type { BackupPolicy } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { policiesQuery } from './queries.ts'

/** @returns a function that removes a policy after saying what becomes of its backups */
export function useDeletePolicy() {
  const { t } = useTranslation('backup-policies')
  const queryClient = useQueryClient()
  return async ({ id, name }: BackupPolicy) => {
    const isDeleted = await confirm({
      title: t('delete.title', { name }),
      question: t('delete.question'),
      consequence: t('delete.consequence'),
      confirm: t('delete.confirm'),
      danger: true,
      failed: t('delete.failed'),
      run: () =>
        client
          .call('deleteBackupPolicy', { params: { id } })
          .finally(() => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey })),
    })
    if (isDeleted) toastSuccess(name, t('delete.done'))
  }
}

/** Switches a policy on or off; one that was changed meanwhile is refused. */
export function useSwitchPolicy() {
  const { t } = useTranslation('backup-policies')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ policy: { id, runs: _, ...policy }, isOn }: { policy: BackupPolicy; isOn: boolean }) =>
      client.call('changeBackupPolicy', { params: { id }, body: { ...policy, isOn } }),
    onSuccess: (_, { policy, isOn }) => toastSuccess(policy.name, isOn ? t('switchOn.done') : t('switchOff.done')),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('edit.failed'), textOf(error))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey }),
  })
}
