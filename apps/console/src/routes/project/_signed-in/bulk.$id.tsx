import { bulkItemStates } from '@roomkeeper/contract'
import { createFileRoute } from '@tanstack/react-router'
import { BulkPage } from '#bulks/BulkPage.tsx'
import { oneOf, page, pageSize, searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/bulk/$id')({
  validateSearch: searchOf({ page, size: pageSize, search: text(64), state: oneOf(bulkItemStates) }),
  component: BulkPage,
})
