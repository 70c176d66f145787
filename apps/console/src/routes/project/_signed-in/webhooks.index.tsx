import { createFileRoute } from '@tanstack/react-router'
import { lastRoomsSearch } from '#rooms/index.ts'
import { WebhooksPage } from '#webhooks/index.ts'

export const Route = createFileRoute('/project/_signed-in/webhooks/')({
  beforeLoad: async ({ context }) => {
    const { requireAccess } = await import('#session/session.ts')
    requireAccess(context.operator, 'admin')
  },
  component: Webhooks,
})

function Webhooks() {
  const navigate = Route.useNavigate()
  return <WebhooksPage onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })} />
}
