import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { formatMoment } from '#ui/format.ts'
import { toastSuccess } from '#ui/toast.ts'
import { type AnyBackup, whoseBackup } from './whose-backup.ts'

/** @returns deletes a backup, in its store too, after asking */
export function useDeleteBackup() {
  const { t } = useTranslation('backups')
  const queryClient = useQueryClient()
  return async (backup: AnyBackup) => {
    const at = formatMoment(backup.createdAt)
    const whose = whoseBackup(backup)
    const isDeleted = await confirm({
      title: whose === null ? t('delete.title', { at }) : t('delete.titleOf', { at, ...whose }),
      question: t('delete.question'),
      consequence: t('delete.consequence', { location: backup.location }),
      confirm: t('delete.confirm'),
      danger: true,
      failed: t('delete.failed'),
      run: () => client.call('deleteRoomBackup', { params: { id: backup.id } }),
    })
    if (!isDeleted) return
    toastSuccess(t('delete.confirm'), whose === null ? t('delete.done', { at }) : t('delete.doneOf', { at, ...whose }))
    await queryClient.invalidateQueries({ queryKey: ['rooms', 'backups'] })
  }
}
