import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { BulksPage, type BulksSearch, parseBulksSearch } from '#bulks/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/bulk/')({
  validateSearch: (given): BulksSearch => parseBulksSearch(given),
  component: Bulks,
})

function Bulks() {
  const search = Route.useSearch({ select: ofPage<BulksSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <BulksPage
      search={search}
      onSearch={(to) => void navigate({ search: parseBulksSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
