import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NoticeList, NoticePopup } from '#customers/index.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'

/** Shows a notification as customers would see it. */
export function TestDisplay({ message, isPopup }: { message: string; isPopup: boolean }) {
  const { t } = useTranslation('notifications')
  const close = useCloseDialog()
  const notices = [{ notificationId: 0, message }]
  if (isPopup) return <NoticePopup notices={notices} onClose={close} />
  return (
    <Dialog title={t('display.title')} width="large" closesOutside>
      <Text size="sm" c="dimmed" mb="sm">
        {t('display.hint')}
      </Text>
      <NoticeList notices={notices} />
    </Dialog>
  )
}
