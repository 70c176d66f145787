import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './Table.module.css'

interface NotRefreshedProps {
  title: string
  text: string
  onAgain: () => void
}

/** The rows below are those of before. */
export function NotRefreshed({ title, text, onAgain }: NotRefreshedProps) {
  const { t } = useTranslation('app')
  return (
    <div role="alert" className={classes.notice}>
      <span>
        {title} {text}
      </span>
      <Button size="compact-xs" variant="default" onClick={onAgain}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
