import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './import.module.css'

/** What no backup knows for certain. */
export function ImportNote() {
  const { t } = useTranslation('import')
  return (
    <Alert
      role="note"
      icon={<IconInfoCircle aria-hidden />}
      classNames={{ root: classes.info ?? '', icon: classes.infoLead ?? '' }}
    >
      {t('note')}
    </Alert>
  )
}
