import { createFileRoute } from '@tanstack/react-router'
import { MaintenancePage } from '#maintenance/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/maintenance_mode')({
  beforeLoad: async ({ context }) => {
    const { requireAccess } = await import('#session/session.ts')
    requireAccess(context.operator, 'admin')
  },
  component: MaintenanceMode,
})

function MaintenanceMode() {
  const navigate = Route.useNavigate()
  return <MaintenancePage onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })} />
}
