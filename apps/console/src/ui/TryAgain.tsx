import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The way out where something could not be loaded. */
export function TryAgain({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('app')
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('tryAgain')}
    </Button>
  )
}
