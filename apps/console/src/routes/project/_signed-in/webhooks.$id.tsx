import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { DeliveriesPage, type DeliveriesSearch, parseDeliveriesSearch } from '#webhooks/index.ts'

export const Route = createFileRoute('/project/_signed-in/webhooks/$id')({
  validateSearch: (given): DeliveriesSearch => parseDeliveriesSearch(given),
  beforeLoad: async ({ context }) => {
    const { requireAccess } = await import('#session/session.ts')
    requireAccess(context.operator, 'admin')
  },
  component: Deliveries,
})

function Deliveries() {
  const { id } = Route.useParams()
  const search = Route.useSearch({ select: ofPage<DeliveriesSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <DeliveriesPage
      key={id}
      id={id}
      search={search}
      onSearch={(to) => void navigate({ search: parseDeliveriesSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/webhooks' })}
    />
  )
}
