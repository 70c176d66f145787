import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { CreateRoomPage } from '#rooms/create/CreateRoomPage.tsx'
import { searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/create_project_room')({
  /** The room of which the new one is a duplicate. */
  validateSearch: searchOf({ from: text(64) }),
  beforeLoad: requires('edit'),
  component: CreateRoomPage,
})
