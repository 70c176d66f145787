import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { AuditPage } from '#audit/AuditPage.tsx'
import { parseAuditSearch } from '#audit/audit-search.ts'

export const Route = createFileRoute('/project/_signed-in/audit')({
  validateSearch: parseAuditSearch,
  beforeLoad: requires('admin'),
  component: AuditPage,
})
