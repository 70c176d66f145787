import type { CustomerPage as PageName } from '@roomkeeper/contract'
import { lazy, Suspense, use } from 'react'
import { useTranslation } from 'react-i18next'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { CustomerFrame } from './CustomerFrame.tsx'
import { maintenanceAtStart } from './customer-calls.ts'
import { ForgotRoomNameForm } from './ForgotRoomNameForm.tsx'
import { loadComponent } from './load-component.ts'
import { MaintenanceNotice } from './MaintenanceNotice.tsx'
import { Notifications } from './Notifications.tsx'
import { RoomForm } from './RoomForm.tsx'

const EmbeddedComponent = lazy(async () => ({
  default: (await import('./EmbeddedComponent.tsx')).EmbeddedComponent,
}))

/** A customer-facing page: the maintenance message, the embedded component, or the built-in page. */
export function CustomerArea({ page }: { page: PageName }) {
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <Content page={page} />
    </Suspense>
  )
}

function Content({ page }: { page: PageName }) {
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
