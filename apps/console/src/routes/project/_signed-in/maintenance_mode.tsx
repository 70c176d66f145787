import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { MaintenancePage } from '#maintenance/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/maintenance_mode')({
  beforeLoad: requires('admin'),
  component: MaintenanceMode,
})

function MaintenanceMode() {
  const navigate = Route.useNavigate()
  return <MaintenancePage onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })} />
}
