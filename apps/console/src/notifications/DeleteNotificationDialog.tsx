import { Blockquote } from '@mantine/core'
import type { Notification } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { RichText } from '#ui/rich-text/RichText.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'
import { notificationsQuery } from './queries.ts'

interface DeleteNotificationDialogProps {
  /** null keeps it closed. */
  notification: Notification | null
  onClose: () => void
  onDeleted: (id: number) => void
}

/** Asks before a notification is deleted; stays open when that fails. */
export function DeleteNotificationDialog({ notification, onClose, onDeleted }: DeleteNotificationDialogProps) {
  const { t } = useTranslation('notifications')
  const queryClient = useQueryClient()
  const shown = useLastPresent(notification)
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (id: number) => client.call('deleteNotification', { params: { id: String(id) } }),
    onSuccess: (_, id) => {
      toastSuccess(t('deleted.title'), t('deleted.text'))
      onDeleted(id)
      onClose()
      return queryClient.invalidateQueries(notificationsQuery)
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={notification !== null}
      onClose={close}
      title={t('deletion.title')}
      question={t('deletion.question')}
      consequence={t('deletion.consequence')}
      confirm={t('deletion.confirm')}
      isDangerous
      isPending={isPending}
      failure={error === null ? null : { title: t('deletion.failed'), text: textOf(error) }}
      onConfirm={() => {
        if (notification !== null) mutate(notification.notificationId)
      }}
    >
      {shown !== null && (
        <Blockquote mt="md" p="sm" color="gray">
          <RichText html={shown.message} />
        </Blockquote>
      )}
    </ConfirmDialog>
  )
}
