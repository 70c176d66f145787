import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { ImportPage } from '#rooms/import/ImportPage.tsx'

export const Route = createFileRoute('/project/_signed-in/import_project_room')({
  beforeLoad: requires('edit'),
  component: ImportPage,
})
