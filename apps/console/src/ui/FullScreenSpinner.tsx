import { useTranslation } from 'react-i18next'
import classes from './FullScreenSpinner.module.css'

interface FullScreenSpinnerProps {
  /** Whether it covers what is already shown. Then it appears only after a delay. */
  isOverlay?: boolean
}

/** Shown while a page cannot be used yet. It may be inside a page's `main`, so it is not one itself. */
export function FullScreenSpinner({ isOverlay = false }: FullScreenSpinnerProps) {
  const { t } = useTranslation('app')
  return (
    <div className={classes.root} data-over={isOverlay || undefined} aria-busy="true">
      <output aria-label={t('loading')} className={classes.spinner} />
    </div>
  )
}
