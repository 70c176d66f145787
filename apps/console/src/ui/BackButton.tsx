import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** The way back of a screen: a button named Back. */
export function BackButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('app')
  return (
    <Button variant="default" size="xs" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClick}>
      {t('back')}
    </Button>
  )
}
