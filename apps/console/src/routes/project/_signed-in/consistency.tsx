import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { requires } from '#app/requires.ts'
import { ConsistencyPage, type ConsistencySearch, parseConsistencySearch } from '#consistency/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/consistency')({
  validateSearch: (given): ConsistencySearch => parseConsistencySearch(given),
  beforeLoad: requires('admin'),
  component: Consistency,
})

function Consistency() {
  const search = Route.useSearch({ select: ofPage<ConsistencySearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <ConsistencyPage
      search={search}
      onSearch={(to) => void navigate({ search: parseConsistencySearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
