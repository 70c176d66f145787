import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { RestorePage } from '#rooms/restore/RestorePage.tsx'

export const Route = createFileRoute('/project/_signed-in/restore_project_room/$id')({
  beforeLoad: requires('admin'),
  component: RestorePage,
})
