import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'
import { type AnyBackup, whoseBackup } from './BackupRow.tsx'

interface DeleteBackupDialogProps {
  /** null keeps it closed. */
  backup: AnyBackup | null
  onClose: () => void
}

/** Asks before a backup is deleted, in its store too. */
export function DeleteBackupDialog({ backup, onClose }: DeleteBackupDialogProps) {
  const { t } = useTranslation('backups')
  const shown = useLastPresent(backup)
  const queryClient = useQueryClient()
  const at = shown === null ? '' : formatMoment(shown.createdAt)
  const whose = shown === null ? null : whoseBackup(shown)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (id: string) => client.call('deleteRoomBackup', { params: { id } }),
    onSuccess: () => {
      toastSuccess(
        t('delete.confirm'),
        whose === null ? t('delete.done', { at }) : t('delete.doneOf', { at, ...whose }),
      )
      onClose()
      return queryClient.invalidateQueries({ queryKey: ['rooms', 'backups'] })
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={backup !== null}
      onClose={close}
      title={whose === null ? t('delete.title', { at }) : t('delete.titleOf', { at, ...whose })}
      question={t('delete.question')}
      consequence={t('delete.consequence', { location: shown?.location })}
      confirm={t('delete.confirm')}
      isDangerous
      isPending={isPending}
      failure={error === null ? null : { title: t('delete.failed'), text: textOf(error) }}
      onConfirm={() => shown !== null && mutate(shown.id)}
    />
  )
}
