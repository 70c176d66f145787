import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { RestorePage } from '#rooms/restore/RestorePage.tsx'
import { searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/restore_project_room/$id')({
  /** `backup`: the id of the stored backup that is chosen at first. */
  validateSearch: searchOf({ backup: text(36) }),
  beforeLoad: requires('admin'),
  component: RestorePage,
})
