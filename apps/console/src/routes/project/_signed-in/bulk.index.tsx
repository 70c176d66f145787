import { bulkActions } from '@roomkeeper/contract'
import { createFileRoute } from '@tanstack/react-router'
import { BulksPage } from '#bulks/BulksPage.tsx'
import { oneOf, page, pageSize, searchOf } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/bulk/')({
  validateSearch: searchOf({ page, size: pageSize, action: oneOf(bulkActions) }),
  component: BulksPage,
})
