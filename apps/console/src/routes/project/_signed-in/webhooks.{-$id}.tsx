import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { requires } from '#app/requires.ts'
import { lastRoomsSearch } from '#rooms/index.ts'
import { DeliveriesPage, type DeliveriesSearch, parseDeliveriesSearch, WebhooksPage } from '#webhooks/index.ts'

export const Route = createFileRoute('/project/_signed-in/webhooks/{-$id}')({
  validateSearch: (given): DeliveriesSearch => parseDeliveriesSearch(given),
  beforeLoad: requires('admin'),
  component: Webhooks,
})

/** All webhooks, or the deliveries of one. */
function Webhooks() {
  const { id } = Route.useParams()
  const search = Route.useSearch({ select: ofPage<DeliveriesSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  if (id === undefined)
    return <WebhooksPage onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })} />
  return (
    <DeliveriesPage
      key={id}
      id={id}
      search={search}
      onSearch={(to) => void navigate({ search: parseDeliveriesSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/webhooks/{-$id}', params: { id: undefined } })}
    />
  )
}
