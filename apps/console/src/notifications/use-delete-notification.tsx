import { Blockquote } from '@mantine/core'
import type { Notification } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { RichText } from '#ui/rich-text/RichText.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { notificationsQuery } from './queries.ts'

/** @returns deletes a notification after asking */
export function useDeleteNotification(onDeleted: (id: number) => void) {
  const { t } = useTranslation('notifications')
  const queryClient = useQueryClient()
  return async ({ notificationId: id, message }: Notification) => {
    const isDeleted = await confirm({
      title: t('deletion.title'),
      question: t('deletion.question'),
      consequence: t('deletion.consequence'),
      details: (
        <Blockquote mt="md" p="sm" color="gray">
          <RichText html={message} />
        </Blockquote>
      ),
      confirm: t('deletion.confirm'),
      danger: true,
      failed: t('deletion.failed'),
      run: () => client.call('deleteNotification', { params: { id: String(id) } }),
    })
    if (!isDeleted) return
    toastSuccess(t('deleted.title'), t('deleted.text'))
    onDeleted(id)
    await queryClient.invalidateQueries(notificationsQuery)
  }
}
