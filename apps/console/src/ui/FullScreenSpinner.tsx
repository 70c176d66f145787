import { useTranslation } from 'react-i18next'
import classes from './FullScreenSpinner.module.css'

interface FullScreenSpinnerProps {
  /** Whether it comes over something that can already be seen, and so only when the wait is not a short one. */
  isOver?: boolean
}

/** For use while there is nothing to work with, also within a page's `main`, so it is none itself. */
export function FullScreenSpinner({ isOver = false }: FullScreenSpinnerProps) {
  const { t } = useTranslation('app')
  return (
    <div className={classes.root} data-over={isOver || undefined} aria-busy="true">
      <output aria-label={t('loading')} className={classes.spinner} />
    </div>
  )
}
