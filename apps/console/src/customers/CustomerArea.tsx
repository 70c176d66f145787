import type { CustomerPage } from '@roomkeeper/contract'
import { createElement, Suspense, use } from 'react'
import { useTranslation } from 'react-i18next'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import classes from './CustomerFrame.module.css'
import { CustomerFrame } from './CustomerFrame.tsx'
import { componentUrl, maintenanceAtStart } from './customer-calls.ts'
import { ForgotRoomNameForm } from './ForgotRoomNameForm.tsx'
import { Notifications } from './Notifications.tsx'
import { RoomForm } from './RoomForm.tsx'

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
  const isLoaded = use(loadComponent())
  if (maintenance !== null) {
    return (
      <CustomerFrame page={page} heading={t('maintenance')}>
        <MaintenanceNotice message={maintenance} />
      </CustomerFrame>
    )
  }
  if (isLoaded) return <EmbeddedComponent page={page} />
  return (
    <CustomerFrame page={page} heading={t(`${page}.title`)} above={<Notifications />}>
      {page === 'forgot_project_room_name' ? <ForgotRoomNameForm /> : <RoomForm page={page} />}
    </CustomerFrame>
  )
}

/** The message as it was written, with its line breaks. */
function MaintenanceNotice({ message }: { message: string }) {
  return (
    <p role="status" className={classes.message}>
      {message}
    </p>
  )
}

/** Told which page it is and which language is spoken. */
function EmbeddedComponent({ page }: { page: CustomerPage }) {
  const { t, i18n } = useTranslation(['customers', 'app'])
  return (
    <main>
      <title>{t('app:pageTitle', { page: t(`${page}.title`) })}</title>
      {createElement(elementName, { page, lang: i18n.language })}
    </main>
  )
}

/** The embedded component: a script of the provider's that defines the element below. */
const elementName = 'customer-component'
const patienceMilliseconds = 10_000

let loading: Promise<boolean> | null = null

/** @returns whether the element can be shown; false: there is none, or it did not come */
function loadComponent(): Promise<boolean> {
  loading ??= componentUrl().then((url) => (url === null ? false : loadFrom(url)))
  return loading
}

function loadFrom(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = url
    script.onerror = () => resolve(false)
    setTimeout(() => resolve(false), patienceMilliseconds)
    void customElements.whenDefined(elementName).then(() => resolve(true))
    document.head.append(script)
  })
}
