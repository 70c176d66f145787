import type { CustomerPage } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSelect } from '#app/LanguageSelect.tsx'
import { Logo } from '#ui/Logo.tsx'
import classes from './CustomerFrame.module.css'

interface CustomerFrameProps {
  page: CustomerPage
  heading: string
  /** Above the card. */
  above?: ReactNode
  children: ReactNode
}

/** The built-in customer-facing pages: a card in the middle, the ways to the other pages below it. */
export function CustomerFrame({ page, heading, above, children }: CustomerFrameProps) {
  const { t } = useTranslation(['customers', 'app'])
  const links = (['login', 'forgot_project_room_name', 'forgot_password'] as const).filter((each) => each !== page)
  return (
    <div className={classes.page}>
      <title>{t('app:pageTitle', { page: heading })}</title>
      <main className={classes.main}>
        {above}
        <section className={classes.card} aria-labelledby="heading">
          <Logo size={40} />
          <h1 id="heading" className={classes.heading}>
            {heading}
          </h1>
          {children}
        </section>
        <nav className={classes.links} aria-label={t('pages')}>
          {links.map((each) => (
            <a key={each} href={`/${each}`}>
              {t(`${each}.link`)}
            </a>
          ))}
        </nav>
      </main>
      <footer className={classes.footer}>
        <LanguageSelect className={classes.language} />
        <a href="/project/operator">{t('operators')}</a>
      </footer>
    </div>
  )
}
