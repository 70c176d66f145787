import { Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NoticeList, NoticePopup } from '#customers/NoticeDisplay.tsx'

interface TestDisplayProps {
  message: string
  isPopup: boolean
  onClose: () => void
}

/** Shows a notification as customers would see it. */
export function TestDisplay({ message, isPopup, onClose }: TestDisplayProps) {
  const { t } = useTranslation(['notifications', 'app'])
  const notices = [{ notificationId: 0, message }]
  if (isPopup) return <NoticePopup notices={notices} onClose={onClose} />
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('display.title')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t('display.hint')}
      </Text>
      <NoticeList notices={notices} />
    </Modal>
  )
}
