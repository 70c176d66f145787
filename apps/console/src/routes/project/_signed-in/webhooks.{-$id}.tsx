import { deliveryStates } from '@roomkeeper/contract'
import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { oneOf, page, pageSize, searchOf } from '#ui/url-search.ts'
import { DeliveriesPage } from '#webhooks/DeliveriesPage.tsx'
import { WebhooksPage } from '#webhooks/WebhooksPage.tsx'

export const Route = createFileRoute('/project/_signed-in/webhooks/{-$id}')({
  validateSearch: searchOf({ page, size: pageSize, state: oneOf(deliveryStates) }),
  beforeLoad: requires('admin'),
  component: Webhooks,
})

/** All webhooks, or the deliveries of one. */
function Webhooks() {
  const { id } = Route.useParams()
  return id === undefined ? <WebhooksPage /> : <DeliveriesPage key={id} id={id} />
}
