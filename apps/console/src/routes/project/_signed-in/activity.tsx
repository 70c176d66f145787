import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#audit/ActivityPage.tsx'
import { parseActivitySearch } from '#audit/activity-search.ts'

export const Route = createFileRoute('/project/_signed-in/activity')({
  validateSearch: parseActivitySearch,
  component: ActivityPage,
})
