import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { requires } from '#app/requires.ts'
import { DeletedRoomsPage, type DeletedSearch, lastRoomsSearch, parseDeletedSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/deleted')({
  validateSearch: (given): DeletedSearch => parseDeletedSearch(given),
  beforeLoad: requires('admin'),
  component: Deleted,
})

function Deleted() {
  const search = Route.useSearch({ select: ofPage<DeletedSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <DeletedRoomsPage
      search={search}
      onSearch={(to) => void navigate({ search: parseDeletedSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
