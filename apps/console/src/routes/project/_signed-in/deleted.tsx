import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { DeletedRoomsPage } from '#rooms/deleted/DeletedRoomsPage.tsx'
import { flag, page, pageSize, searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/deleted')({
  // Without `purged`: the rooms that can come back.
  validateSearch: searchOf({ page, size: pageSize, search: text(64), purged: flag }),
  beforeLoad: requires('admin'),
  component: DeletedRoomsPage,
})
