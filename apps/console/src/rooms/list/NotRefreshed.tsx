import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import classes from './RoomsPage.module.css'

/** The rows below are those of before. */
export function NotRefreshed({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const { t } = useTranslation(['rooms', 'app'])
  return (
    <div role="alert" className={classes.notice}>
      <span>
        {t('notRefreshed')} {textOf(error)}
      </span>
      <Button size="compact-xs" variant="default" onClick={onAgain}>
        {t('app:tryAgain')}
      </Button>
    </div>
  )
}
