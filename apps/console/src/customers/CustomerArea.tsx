import type { CustomerPage } from '@roomkeeper/contract'
import { type ReactNode, Suspense, use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLocale, currentLocale, languages, nameOf, tagOf } from '#locales/language.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { Logo } from '#ui/Logo.tsx'
import classes from './CustomerArea.module.css'
import { ForgotRoomNameForm, RoomForm } from './CustomerForms.tsx'
import { componentIsConfigured, maintenanceAtStart } from './customer-calls.ts'
import { EmbeddedComponent } from './EmbeddedComponent.tsx'
import { Notifications } from './Notifications.tsx'

/** A customer-facing page: the maintenance message, the embedded component, or the built-in page. */
export function CustomerArea({ page }: { page: CustomerPage }) {
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <Content page={page} />
    </Suspense>
  )
}

function Content({ page }: { page: CustomerPage }) {
  const { t } = useTranslation('customers')
  const maintenance = use(maintenanceAtStart())
  const isConfigured = use(componentIsConfigured())
  const [hasFailed, setHasFailed] = useState(false)
  if (maintenance !== null) {
    return (
      <CustomerFrame page={page} heading={t('maintenance')}>
        <MaintenanceNotice message={maintenance} />
      </CustomerFrame>
    )
  }
  if (isConfigured && !hasFailed) return <EmbeddedComponent page={page} onFailure={() => setHasFailed(true)} />
  return (
    <CustomerFrame page={page} heading={t(`${page}.title`)} above={<Notifications />}>
      {page === 'forgot_project_room_name' ? <ForgotRoomNameForm /> : <RoomForm page={page} />}
    </CustomerFrame>
  )
}

/** Shows the message as it was entered, with its line breaks. */
function MaintenanceNotice({ message }: { message: string }) {
  return (
    <p role="status" className={classes.message}>
      {message}
    </p>
  )
}

interface CustomerFrameProps {
  page: CustomerPage
  heading: string
  /** Shown above the card. */
  above?: ReactNode
  children: ReactNode
}

/** A built-in customer-facing page: a card in the middle, with links to the other pages below it. */
function CustomerFrame({ page, heading, above, children }: CustomerFrameProps) {
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
            <a key={each} href={`./${each}`}>
              {t(`${each}.link`)}
            </a>
          ))}
        </nav>
      </main>
      <footer className={classes.footer}>
        <LanguageSelect className={classes.language} />
        <a href="./project/operator">{t('operators')}</a>
      </footer>
    </div>
  )
}

/** The language menu for pages without Mantine. */
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
