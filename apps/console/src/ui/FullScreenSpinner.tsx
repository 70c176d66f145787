import { useTranslation } from 'react-i18next'
import classes from './FullScreenSpinner.module.css'

/** For use while there is nothing else to show, also within a page's `main`, so it is none itself. */
export function FullScreenSpinner() {
  const { t } = useTranslation('app')
  return (
    <div className={classes.root} aria-busy="true">
      <output aria-label={t('loading')} className={classes.spinner} />
    </div>
  )
}
