import type { CustomerPage } from '@roomkeeper/contract'
import { type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLocale, currentLocale } from '#app/language.ts'
import { languages, nameOf, tagOf } from '#app/languages.ts'
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

/** The language menu for pages that stand without Mantine. */
function LanguageSelect({ className }: { className: string | undefined }) {
  const { t } = useTranslation('app')
  const known = use(languages())
  return (
    <select
      className={className}
      aria-label={t('language')}
      value={currentLocale()}
      onChange={(event) => void chooseLocale(event.currentTarget.value)}
    >
      {known.map(({ localeKey }) => (
        <option key={localeKey} value={localeKey} lang={tagOf(localeKey)}>
          {nameOf(localeKey)}
        </option>
      ))}
    </select>
  )
}
