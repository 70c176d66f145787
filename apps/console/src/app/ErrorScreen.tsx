import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import buttons from '#ui/buttons.module.css'
import classes from './ErrorScreen.module.css'

/** Shown instead of a page that failed to render or to load. It does not use Mantine, which may be what failed. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation('app')
  return (
    <main className={classes.root}>
      <div role="alert" className={classes.card}>
        <h1>{t('error.title')}</h1>
        <p>{textOf(error)}</p>
        <button type="button" className={buttons.primary} onClick={reset}>
          {t('tryAgain')}
        </button>
      </div>
    </main>
  )
}
