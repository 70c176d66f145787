import { createFileRoute } from '@tanstack/react-router'
import { ofPage } from '#app/cloud-tabs.ts'
import { requires } from '#app/requires.ts'
import { AuditPage, type AuditSearch, parseAuditSearch } from '#audit/index.ts'
import { lastRoomsSearch } from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/audit')({
  validateSearch: (given): AuditSearch => parseAuditSearch(given),
  beforeLoad: requires('admin'),
  component: Audit,
})

function Audit() {
  const search = Route.useSearch({ select: ofPage<AuditSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  return (
    <AuditPage
      search={search}
      onSearch={(to) => void navigate({ search: parseAuditSearch({ ...to }) })}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
    />
  )
}
