import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { Logo } from '#ui/Logo.tsx'
import classes from './SignInPage.module.css'
import { signOut } from './session.ts'

/** Where a session that waits for its second factor stands: it can only be ended. */
export function SecondFactorPage() {
  const { t } = useTranslation('session')
  const navigate = useNavigate()
  const leave = async () => {
    await signOut()
    await navigate({ to: '/project/operator' })
  }
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo size={40} />
        <h1 className={classes.title}>{t('secondFactor.title')}</h1>
        <p>{t('secondFactor.text')}</p>
        <button type="button" className={buttons.primary} onClick={() => void leave()}>
          {t('secondFactor.leave')}
        </button>
      </div>
    </main>
  )
}
