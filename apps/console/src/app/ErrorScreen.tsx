import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import buttons from '#ui/buttons.module.css'
import classes from './ErrorScreen.module.css'

/** Shown instead of a page that failed to render or to load. It does not use Mantine, which may be what failed. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation('app')
  // A part that failed to load does not load again in the same document, and a new version may be there.
  const tryAgain = async () => {
    const isReachable = await fetch('./', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReachable) location.reload()
    else reset()
  }
  return (
    <main className={classes.root}>
      <div role="alert" className={classes.card}>
        <h1>{t('error.title')}</h1>
        <p>{textOf(error)}</p>
        <button type="button" className={buttons.primary} onClick={() => void tryAgain()}>
          {t('tryAgain')}
        </button>
      </div>
    </main>
  )
}
