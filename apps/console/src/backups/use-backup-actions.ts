import type { RemovedRoomBackup, RoomBackup } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { formatMoment } from '#ui/format.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'

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

/** The browser itself fetches the file, by a link for this file only, so that it can pause and resume. */
export function useDownload(id: string) {
  const { t } = useTranslation('backups')
  return useMutation({
    mutationFn: () => client.call('createBackupTicket', { params: { id } }),
    onSuccess: ({ body }) => window.location.assign(body.url),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('download.failed'), textOf(error))
    },
  })
}

export type AnyBackup = RoomBackup | RemovedRoomBackup

/** Null on the page of the project room itself. */
export function whoseBackup(backup: AnyBackup): { room: string; region: string } | null {
  return 'projectRoomName' in backup ? { room: backup.projectRoomName, region: backup.regionName } : null
}
