import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { BulkPage, type BulkSearch, parseBulkSearch } from '#bulks/index.ts'

export const Route = createFileRoute('/project/_signed-in/bulk/$id')({
  validateSearch: (given): BulkSearch => parseBulkSearch(given),
  component: Bulk,
})

function Bulk() {
  const { id } = Route.useParams()
  const search = Route.useSearch({ select: ofPage<BulkSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <BulkPage
      key={id}
      id={id}
      search={search}
      onSearch={(to) => void navigate({ search: parseBulkSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/bulk' })}
    />
  )
}
