import { useTranslation } from 'react-i18next'
import classes from './FullScreenSpinner.module.css'

/** For use while there is nothing else to show. */
export function FullScreenSpinner() {
  const { t } = useTranslation('app')
  return (
    <main className={classes.root} aria-busy="true">
      <output aria-label={t('loading')} className={classes.spinner} />
    </main>
  )
}
