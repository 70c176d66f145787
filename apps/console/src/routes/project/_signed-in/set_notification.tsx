import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { NotificationsPage, type NotificationsSearch, parseNotificationsSearch } from '#notifications/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/set_notification')({
  validateSearch: (given): NotificationsSearch => parseNotificationsSearch(given),
  beforeLoad: requires('admin'),
  component: SetNotification,
})

function SetNotification() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <NotificationsPage
      page={search.page ?? 1}
      onPage={(page) => void navigate({ search: page === 1 ? {} : { page } })}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
