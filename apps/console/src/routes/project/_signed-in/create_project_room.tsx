import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { CreateRoomPage } from '#rooms/create/CreateRoomPage.tsx'

export const Route = createFileRoute('/project/_signed-in/create_project_room')({
  beforeLoad: requires('edit'),
  component: CreateRoomPage,
})
